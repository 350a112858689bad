/** Of whom an installation asks a second factor, each wider than the one before. */
export const secondFactorOf = ['no', 'platform', 'administrators', 'operators', 'everybody'] as const
export type SecondFactorOf = (typeof secondFactorOf)[number]

/** Whether it is asked of this account. `mayMoveEquipment`: its rights cover a call by which equipment may move, or a way to it be opened. */
export function asksSecondFactor(
  of: SecondFactorOf,
  account: { readonly platform: boolean; readonly administrator: boolean; readonly mayMoveEquipment: boolean },
): boolean {
  switch (of) {
    case 'no':
      return false
    case 'platform':
      return account.platform
    case 'administrators':
      return account.administrator
    case 'operators':
      return account.administrator || account.mayMoveEquipment
    case 'everybody':
      return true
  }
}
