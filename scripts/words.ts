/** A word that was replaced by the trade's own, and what stands for it now: ADR 72. */
export interface HomeMade {
  /** A part of an identifier, as `courier` is of `createCourier`, or with `whole` all of it. */
  readonly word: string
  readonly whole?: true
  readonly now: string
  /** Where it may stay: what is stored, shown or sent by that name, or where it means another thing. */
  readonly stays?: readonly string[]
}

export const homeMade: readonly HomeMade[] = [
  { word: 'PlacedLine', whole: true, now: 'LineRef' },
  { word: 'autopsy', now: 'tripAnalysis', stays: ['apps/console/src/areas/control/operation-texts.ts'] },
  { word: 'fedBy', whole: true, now: 'upstreamId' },
  { word: 'leastDistanceMs', whole: true, now: 'minStaggerMs' },
  { word: 'carrier', now: 'dispatcher', stays: ['apps/server/src/jobs/runner.test.ts'] },
  { word: 'freight', now: 'adapter' },
  { word: 'courier', now: 'settingDispatcher' },
  { word: 'strays', now: 'overdueOrders' },
  { word: 'tripLatched', whole: true, now: 'lockoutCause' },
  { word: 'tripLatches', whole: true, now: 'tripSequence' },
  { word: 'latch', now: 'lockout' },
  { word: 'lostSight', whole: true, now: 'positionInvalidated' },
  { word: 'seesPosition', whole: true, now: 'hasValidPosition' },
  { word: 'weakening', now: 'bypassKind' },
  { word: 'weakened', now: 'bypassed' },
  { word: 'weakens', now: 'isBypass', stays: ['apps/console/src/areas/settings/texts.ts'] },
  { word: 'doubtful', now: 'unconfirmed (a setting), uncertain (a value)', stays: ['apps/console/src/areas/monitor/texts.ts'] },
  { word: 'doubts', now: 'qualityMarks' },
  { word: 'knock', now: 'tryConnect' },
  { word: 'strangers', now: 'unknownGateways' },
  { word: 'eachInTurn', whole: true, now: 'sequential' },
  { word: 'firstThenCounted', whole: true, now: 'throttle' },
  { word: 'sameAgain', whole: true, now: 'replayed' },
  { word: 'obstacle', now: 'interlock' },
  { word: 'obstacles', now: 'interlocks' },
  { word: 'heldBy', whole: true, now: 'interlockOf' },
  { word: 'judge', now: 'evaluate (an alarm), validate (a setting)' },
  { word: 'takeGrant', whole: true, now: 'redeemGrant' },
  { word: 'askAhead', whole: true, now: 'prefetch' },
  { word: 'unfetched', now: 'loadError' },
  { word: 'patience', now: 'timeout' },
  { word: 'asSeenBy', whole: true, now: 'withRowSecurity' },
  { word: 'sight', now: 'scope' },
  { word: 'treeOwner', whole: true, now: 'tenantOf' },
  { word: 'treeOfLine', whole: true, now: 'tenantOfLine' },
  { word: 'treeOfGateway', whole: true, now: 'tenantOfGateway' },
  { word: 'treeOfAccount', whole: true, now: 'tenantOfAccount' },
  { word: 'eventTold', whole: true, now: 'eventTopic' },
  { word: 'runTold', whole: true, now: 'runTopic' },
  { word: 'changeTold', whole: true, now: 'changeTopic' },
  { word: 'toldLive', whole: true, now: 'liveMessages' },
  { word: 'forgetTold', whole: true, now: 'forgetNotified' },
  { word: 'hearer', now: 'recipient' },
]
