def register():
    pass


def unregister():
    pass


def request(context):
    pass
