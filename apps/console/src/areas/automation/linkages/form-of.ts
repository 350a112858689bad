import type { Linkage, LinkageForm } from '@linewarden/contract'

/** What people set of a stored linkage: as it is replayed, and taken over. */
export const formOfLinkage = (linkage: Linkage): LinkageForm => ({
  ...{ Name: linkage.Name, Enabled: linkage.Enabled, Mode: linkage.Mode, Match: linkage.Match, MayClose: linkage.MayClose },
  ...{ CooldownS: linkage.CooldownS, MaxPerHour: linkage.MaxPerHour, MaxPerDay: linkage.MaxPerDay },
  ActiveHours: linkage.ActiveHours,
  Conditions: linkage.Conditions.map(({ Kind, ControllerID, LineNo, Key, Op, Value, Release, ForS }) => ({
    // What is gone has no place: such a linkage is neither replayed nor taken over as it is.
    ...{ Kind, ControllerID: ControllerID ?? '', LineNo: LineNo ?? 0, Key, Op, Value, Release, ForS },
  })),
  Actions: linkage.Actions.map(({ Kind, ControllerID, LineNo, SceneID, DelayS, Order }) => ({
    ...{ Kind, ControllerID, LineNo, SceneID, DelayS },
    Order: Order && { ...Order, PersonInCharge: Order.PersonInCharge?.AccountID ?? null },
  })),
})
