# SPDX-License-Identifier: MIT
"""What a control rig moves: the limbs of the humans that are known, as rows of a table."""
from dataclasses import dataclass

from . import armature
from .package import marrow


@dataclass(frozen=True)
class Limb:
    """A chain of bones that bends towards a control.

    Attributes:
        label: of the control.
        chain: the bones that bend, by the game's names.
        end: the bone that the control turns, and whose place it is.
        pole: which way the middle of the chain points at rest if it is straight; None: no pole.
        above: the label of the control that moves this one.
    """

    label: str
    chain: tuple
    end: str
    pole: tuple
    above: str = "Root"


_FORWARD, BACK = (0.0, 1.0, 0.0), (0.0, -1.0, 0.0)
_SKYRIM = (
    *(Limb(f"Hand.{s}", (f"NPC {s} UpperArm [{s}Uar]", f"NPC {s} Forearm [{s}Lar]"), f"NPC {s} Hand [{s}Hnd]", BACK) for s in "LR"),
    *(Limb(f"Foot.{s}", (f"NPC {s} Thigh [{s}Thg]", f"NPC {s} Calf [{s}Clf]"), f"NPC {s} Foot [{s}ft ]", _FORWARD) for s in "LR"),
    Limb("Chest", ("NPC Spine [Spn0]", "NPC Spine1 [Spn1]"), "NPC Spine2 [Spn2]", None, "Hips"),
)
_FALLOUT = (
    *(Limb(f"Hand.{s}", (f"{s}Arm_UpperArm", f"{s}Arm_ForeArm1"), f"{s}Arm_Hand", BACK) for s in "LR"),
    *(Limb(f"Foot.{s}", (f"{s}Leg_Thigh", f"{s}Leg_Calf"), f"{s}Leg_Foot", _FORWARD) for s in "LR"),
    Limb("Chest", ("Spine1", "Spine2"), "Chest", None, "Hips"),
)
#: Of each kind of skeleton: its limbs, and the bones that the controls of root and hips move.
_KINDS = (
    (_SKYRIM, {"Root": "NPC Root [Root]", "Hips": "NPC COM [COM ]"}),
    (_FALLOUT, {"Root": "Root", "Hips": "COM"}),
)


class Plan:
    """What of a skeleton the rig moves, by the names in Blender."""

    def __init__(self, owner):
        drawn = {game.lower(): name for game, name in armature.game_names(owner).items()}

        def of(name):
            return drawn.get(name.lower())

        best = None
        for limbs, singles in _KINDS:
            own = [each for each in limbs if all(of(name) for name in (*each.chain, each.end))]
            if best is None or len(own) > len(best[0]):
                best = (own, {label: of(name) for label, name in singles.items() if of(name)})
        self.limbs, self.singles = best
        if not self.limbs:
            raise marrow.NotFoundError(f"{owner.name!r} has no arms, legs or spine that are known; a control rig is for humans of Skyrim and Fallout 4")
        self.of = of
        #: Labels of controls with the bones of the game that they stand for.
        self.controls = {**self.singles, **{each.label: of(each.end) for each in self.limbs}}

    def above(self, label):
        """Returns the label of the control that moves another, or None."""
        wanted = next((each.above for each in self.limbs if each.label == label), "Root" if label == "Hips" else None)
        while wanted is not None and wanted not in self.controls:
            wanted = "Root" if wanted == "Hips" else None
        return None if wanted == label else wanted
