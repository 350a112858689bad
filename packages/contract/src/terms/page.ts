import type { Text } from '@linewarden/equipment'

/** Where a page stands: in a section of the menu, among the reports, or with the pages of whoever runs the installation. */
export type Place = 'devmon' | 'timer' | 'hazard' | 'energy' | 'system' | 'report' | 'platform'

export interface PlacedPage {
  readonly place: Place
  /** Pages of one place stand in this order. */
  readonly order: number
  readonly name: Text
  readonly route: string
}

/** A page that an area has. `zh` is the permission label that goes over the wire (specification section 6). */
/* @__NO_SIDE_EFFECTS__ */
export const page = <const P extends Place>(place: P, order: number, zh: string, en: string, route: string) =>
  ({ place, order, name: { zh, en }, route }) as const satisfies PlacedPage
