/**
 * Metric names on the wire (docs/wire-protocol.md). Lines: `{LineNo}/{point}`; devices: `{point}`; settings: `settings/{LineNo}/{key}`
 * or `settings/{key}`; facts known at birth: `info/*` and `{LineNo}/info/*`; commands: `command/*`.
 */
export const wire = {
  info: {
    /** Device: model code, decides the voltage band. */
    model: 'info/model',
    /** Device: family key; needed only when the model code is in no family. */
    family: 'info/family',
    name: 'info/name',
    firmware: 'info/firmware',
    /** Edge node: reporting period in seconds; three missed ones are "stale". */
    reportingPeriod: 'info/reportingPeriod',
    /** Edge node: whether its clock is synchronised. An unsynchronised gateway must refuse to close. */
    clockSynchronised: 'info/clockSynchronised',
    /** Edge node: received power of its network in dBm, a whole number; null where there is none to measure. */
    signal: 'info/signal',
    /** Line: rated current In in amperes. */
    ratedCurrent: 'info/ratedCurrent',
  },
  /** The action that sets what the command's `settings/*` metrics say. The reported setting confirms it, the acknowledgement does not. */
  set: 'set',
  command: {
    id: 'command/id',
    line: 'command/line',
    action: 'command/action',
    issuedAt: 'command/issuedAt',
    deadline: 'command/deadline',
    fence: 'command/fence',
    bdSeq: 'command/bdSeq',
  },
  result: {
    id: 'command/result/id',
    status: 'command/result/status',
    reason: 'command/result/reason',
    /** Leakage self-test: how long the breaker took to trip, in milliseconds. */
    tripMs: 'command/result/tripMs',
  },
} as const

/** What a gateway says to a command it received; neither is proof that the equipment moved. */
export const resultStatuses = ['accepted', 'refused'] as const
export type ResultStatus = (typeof resultStatuses)[number]

/** Why a gateway refuses a command. */
export const gatewayRefusals = [
  'deadline_passed',
  'clock_unsynchronised',
  'other_session',
  'seen_id',
  'older_fence',
  'local_lock',
  'unknown_line',
  'unknown_action',
  'mechanism_fault',
  'bad_setting',
  'line_open',
] as const
export type GatewayRefusal = (typeof gatewayRefusals)[number]

/** Where a metric of a device belongs. `line` is 0 for the device itself. */
export type MetricPlace =
  | { readonly of: 'point'; readonly line: number; readonly key: string }
  | { readonly of: 'setting'; readonly line: number; readonly key: string }
  | { readonly of: 'info'; readonly line: number; readonly key: string }
  | { readonly of: 'result'; readonly key: string }

const lineNumber = /^[1-9][0-9]{0,3}$/

/** Reads a metric name; null when it follows no known form. */
export function placeOf(name: string): MetricPlace | null {
  const parts = name.split('/')
  if (parts.some((part) => part === '')) return null
  const [first, second, third] = parts
  if (first === undefined) return null
  if (first === 'command')
    return second === 'result' && third !== undefined && parts.length === 3 ? { of: 'result', key: third } : null
  if (first === 'settings') {
    if (second === undefined) return null
    if (lineNumber.test(second))
      return third !== undefined && parts.length === 3 ? { of: 'setting', line: Number(second), key: third } : null
    return parts.length === 2 ? { of: 'setting', line: 0, key: second } : null
  }
  if (first === 'info') return second !== undefined && parts.length === 2 ? { of: 'info', line: 0, key: second } : null
  if (!lineNumber.test(first)) return parts.length === 1 ? { of: 'point', line: 0, key: first } : null
  if (second === 'info') return third !== undefined && parts.length === 3 ? { of: 'info', line: Number(first), key: third } : null
  return second !== undefined && parts.length === 2 ? { of: 'point', line: Number(first), key: second } : null
}
