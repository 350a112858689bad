/** What an account may do, as its role says. */
export interface Rights {
  /** Runs the installation: sees what belongs to no project. */
  readonly platform: boolean
  readonly administrator: boolean
  readonly privileges: readonly string[]
  readonly buttons: readonly string[]
  readonly shared: boolean
  /** A wall that a link opened, and nobody's account. */
  readonly screen?: boolean
}

const operating: ReadonlySet<string> = new Set(['lineSwitch', 'tagLines', 'manageTiming', 'manageScene', 'gatewayEnable'])

/** Pages about the owner's people, how they are organised and who does what: none of the business of an organisation that equipment is shared with. */
const administering: ReadonlySet<string> = new Set([
  ...['system.log', 'system.users', 'system.roles', 'system.city', 'system.keys'],
  'hazard.workorder',
])

/**
 * Whether these rights cover a call's permission. Whatever is not granted is denied; a shared account never operates and never looks behind
 * the equipment at the people, whatever its role.
 */
export function permits(permission: string, rights: Rights): boolean {
  if (rights.screen || permission === 'screen') return rights.screen === true && permission === 'screen'
  if (permission === 'session') return true
  if (rights.shared && (operating.has(permission) || administering.has(permission))) return false
  if (permission === 'platform') return rights.platform
  if (rights.administrator) return true
  return operating.has(permission) ? rights.buttons.includes(permission) : rights.privileges.includes(permission)
}

/** Whether these rights cover a call: its own permission, or that of another page that reads with it. */
export const mayCall = (
  {
    permission,
    alsoFor = [],
    onWalls,
  }: { readonly permission: string; readonly alsoFor?: readonly string[]; readonly onWalls?: true },
  rights: Rights,
): boolean => (rights.screen && onWalls === true) || [permission, ...alsoFor].some((each) => permits(each, rights))

/**
 * Whether this account may make a call that changes something: a shared account reads. What it does to itself (scope `own` with nothing but
 * a session: language, signing out) is no change to anybody's equipment.
 */
export function mayWrite(
  call: {
    readonly method: string
    readonly permission: string
    readonly scope: { readonly kind: string }
    readonly reads?: true
  },
  { shared, screen = false }: Pick<Rights, 'shared' | 'screen'>,
): boolean {
  // What a wall may call was decided by name: there is nothing among it that writes but its own beat.
  return (
    screen ||
    !shared ||
    call.method === 'GET' ||
    call.reads === true ||
    (call.permission === 'session' && call.scope.kind === 'own')
  )
}
