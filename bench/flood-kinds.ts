export const floodKinds = ['bodies', 'halfBodies', 'oversize', 'bigConnects', 'signIns', 'upgrades', 'watch'] as const
export type FloodKind = (typeof floodKinds)[number]

/** What the parent asks of `bench/flood.ts`. */
export interface FloodOrder {
  readonly kind: FloodKind
  readonly port: number
  readonly mqttPort: number
  readonly seconds: number
  /** One-use tickets of the live socket, for `watch`. */
  readonly tickets: readonly string[]
}
