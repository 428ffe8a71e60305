# SPDX-License-Identifier: MIT
"""What operators that write a file share: the name that they suggest, and its extension."""
import os

from bpy_extras.io_utils import ExportHelper

from .files import extension_of
from .package import marrow


class ExportFile(ExportHelper):
    """Base of operators that write a file. They implement `suggestion(context)`, the name to start with."""

    #: Extensions that people may choose.
    extensions = (".hkx",)

    def suggestion(self, context):
        return ""

    def invoke(self, context, event):
        # Blender remembers the path of the last export; this one is of another thing, which would replace that file.
        if not self.properties.is_property_set("filepath"):
            name = self.suggestion(context)
            self.filepath = os.path.join(os.path.dirname(self.filepath), name) if name else self.filepath
        return ExportHelper.invoke(self, context, event)

    def check(self, context):
        """Completes a name without an extension that is written. Returns True if the path was changed."""
        own = extension_of(self.suggestion(context)) or self.filename_ext
        if not os.path.basename(self.filepath) or extension_of(self.filepath) in (own, *self.extensions):
            return False
        self.filepath += own
        return True

    def refuse_other_formats(self, context):
        """Raises `marrow.OptionError` if a script names a file that another program would take for something else. The
        file browser completes names."""
        extension, own = extension_of(self.filepath), extension_of(self.suggestion(context))
        if extension and extension not in (own, self.filename_ext, *self.extensions):
            raise marrow.OptionError(f"{extension!r} is not an extension that is written here; these are: {', '.join(self.extensions)}", path="filepath")
