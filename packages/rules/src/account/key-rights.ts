import type { Rights } from './permits.ts'

/** What a key of a machine may, beside whose it is. */
export interface KeyLimits {
  /** It may trip, close, silence and test lines, where its maker may. */
  readonly operates: boolean
}

interface AskedCall {
  readonly name: string
  readonly area: string
  readonly method: string
  readonly permission: string
  readonly reads?: true
}

/** Areas about equipment. People, their rights, the system log, secrets of platforms and keys are none of a machine's business. */
const readable: ReadonlySet<string> = new Set([
  ...['site', 'monitor', 'history', 'equipment', 'settings', 'control'],
  ...['alarm', 'warning', 'hazard', 'health', 'energy'],
])

/** Whose people see what, on pages of areas about equipment. */
const ofPeople: ReadonlySet<string> = new Set(['system.users', 'system.roles'])

/** Calls that prepare a file are called so. */
const filing = /^(?:export|print)[A-Z]/

/** One line at a time, by the path that a person's order takes. */
const operating: ReadonlySet<string> = new Set(['operateLine', 'grantControl'])

/** Whether a key may make a call at all; its maker's rights are asked after that. What is not named here is denied. */
export function keyMayCall({ name, area, method, permission, reads }: AskedCall, { operates }: KeyLimits): boolean {
  if (name === 'logout') return true
  if (operating.has(name)) return operates
  // Files name people, and take turns with those of its maker: what stands in them is read by the calls beside them.
  if (filing.test(name) || permission === 'platform' || ofPeople.has(permission)) return false
  return readable.has(area) && (method === 'GET' || reads === true)
}

/** The rights of its maker, and of these only what equipment is read and operated by. `pages`: every page that an administrator may open. */
export function rightsOfKey(maker: Rights, { operates }: KeyLimits, pages: readonly string[]): Rights {
  const mayOperate = operates && !maker.shared && (maker.administrator || maker.buttons.includes('lineSwitch'))
  return {
    platform: false,
    administrator: false,
    privileges: maker.administrator ? pages : maker.privileges,
    buttons: mayOperate ? ['lineSwitch'] : [],
    shared: maker.shared,
  }
}
