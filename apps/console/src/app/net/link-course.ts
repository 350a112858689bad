import type { LiveLink } from '@linewarden/client'

interface LinkState {
  readonly link: LiveLink
  readonly everOpen: boolean
}

interface Turn {
  readonly state: LinkState
  /** Something may have been missed while it was away. */
  readonly hasMissed: boolean
}

/** How the live link stands after what it says of itself; null: no different. A new attempt is still no link. */
export function turnOf({ link: before, everOpen }: LinkState, link: LiveLink): Turn | null {
  if (link === 'connecting' && before === 'closed') return null
  const opens = link === 'open'
  return { state: { link, everOpen: everOpen || opens }, hasMissed: everOpen && opens }
}
