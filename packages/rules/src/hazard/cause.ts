/** What an alarm points to: the classes of its Pareto by cause, as electricians sort them. */
export const alarmCauses = [
  'overload',
  'shortCircuit',
  'leakage',
  'heat',
  'arc',
  'supply',
  'detected',
  'link',
  'equipment',
  'other',
] as const
export type AlarmCause = (typeof alarmCauses)[number]

const keysOf: Readonly<Record<Exclude<AlarmCause, 'other'>, readonly string[]>> = {
  overload: [
    ...['current.warning', 'current.alarm', 'trip.overload', 'limit.overload', 'overcurrent', 'load.growth', 'load.again'],
  ],
  shortCircuit: ['trip.short', 'limit.short'],
  leakage: [
    ...[
      'residual.notice',
      'residual.warning',
      'residual.alarm',
      'trip.leakage',
      'fire.residual',
      'leakage.step',
      'leakage.drift',
    ],
  ],
  heat: [
    ...[
      'temperature.warning',
      'temperature.alarm',
      'trip.overtemperature',
      'limit.overtemperature',
      'fire.temperature',
      'contact',
    ],
  ],
  arc: ['arc', 'trip.arc', 'arc.precursor'],
  supply: [
    ...['voltage.over', 'voltage.under', 'trip.overvoltage', 'trip.undervoltage', 'voltage.range', 'neutral', 'phaseLoss'],
    ...['unbalance', 'harmonic', 'supply.off', 'diagram.disagrees'],
  ],
  /** What detectors of the room are for. */
  detected: ['smoke.alarm', 'gas.low', 'gas.high', 'gas.rising', 'water', 'intrusion'],
  link: [
    ...['gateway.offline', 'gateway.stale', 'device.offline', 'device.stale', 'platform.away', 'project.outage'],
    ...['link.unstable', 'offline', 'signal.weak'],
  ],
  equipment: [
    ...['automation.orphaned', 'automation.late', 'order.flood', 'statement.differs', 'energy.budget', 'screen.silent'],
    ...['selfTest.failed', 'detector.fault', 'battery.low', 'tamper', 'disabled', 'setting.notRestored', 'wear'],
    ...['release.slow', 'trips.often'],
  ],
}
const causes = new Map(Object.entries(keysOf).flatMap(([cause, keys]) => keys.map((key) => [key, cause as AlarmCause] as const)))

/** The cause that an alarm points to, by its key. */
export const causeOf = (key: string): AlarmCause => causes.get(key) ?? 'other'
