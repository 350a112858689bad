/** What an account may do, as its role says. */
export interface Rights {
  /** Runs the installation: sees what belongs to no project. */
  readonly platform: boolean
  readonly administrator: boolean
  readonly privileges: readonly string[]
  readonly buttons: readonly string[]
  readonly shared: boolean
}

const operating: ReadonlySet<string> = new Set(['lineSwitch', 'manageTiming', 'manageScene', 'gatewayEnable'])

/** Whether these rights cover a call's permission. Whatever is not granted is denied; a shared account never operates, whatever its role. */
export function permits(permission: string, rights: Rights): boolean {
  if (permission === 'session') return true
  if (rights.shared && operating.has(permission)) return false
  if (permission === 'platform') return rights.platform
  if (rights.administrator) return true
  return operating.has(permission) ? rights.buttons.includes(permission) : rights.privileges.includes(permission)
}
