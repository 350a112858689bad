import { dangerAlarm, detectorFault, faultAlarm } from '../detecting.ts'
import { current, temperature, temperatureAlarm, totalPower, voltage } from '../electrical.ts'
import { temperatureAlarms } from '../electrical-alarms.ts'
import { family } from '../family.ts'

const fault = detectorFault('sensor', 'transformer')

/** Arc-fault detector of one single-phase circuit: it counts arcing half-cycles and says when they are a fault. */
export const arcDetector = family({
  key: 'arcDetector',
  label: { zh: '故障电弧探测器', en: 'Arc-fault detector' },
  level: 'device',
  icon: 'arc',
  calls: ['GET /arcms/details/arcm620', 'GET /arc/record'],
  models: ['ARCM620'],
  points: [
    current('A'),
    {
      key: 'arc.halfCycles',
      label: { zh: '1秒内电弧半周期数', en: 'Arcing half-cycles in 1 s' },
      quantity: 'arc',
      unit: '',
      precision: 0,
      slot: 1,
    },
    { key: 'arc.count', label: { zh: '电弧报警次数', en: 'Arc alarms' }, quantity: 'count', unit: '', precision: 0, slot: 2 },
    voltage('A'),
    { key: 'arc.series', label: { zh: '串联电弧次数', en: 'Series arcs' }, quantity: 'count', unit: '', precision: 0, slot: 4 },
    {
      key: 'arc.parallel',
      label: { zh: '并联电弧次数', en: 'Parallel arcs' },
      quantity: 'count',
      unit: '',
      precision: 0,
      slot: 5,
    },
    totalPower,
    temperature('A'),
    temperature('N'),
  ],
  states: [
    {
      key: 'arc.alarm',
      label: { zh: '故障电弧', en: 'Arc fault' },
      values: [
        { key: 'normal', label: { zh: '正常', en: 'Normal' } },
        { key: 'series', label: { zh: '串联电弧报警', en: 'Series arc alarm' } },
        { key: 'parallel', label: { zh: '并联电弧报警', en: 'Parallel arc alarm' } },
      ],
    },
    fault,
  ],
  recordings: [
    {
      key: 'arc.waveform',
      label: { zh: '电弧电流波形', en: 'Current during the arc' },
      unit: 'A',
      divisor: 100,
      perSecond: 6_400,
    },
  ],
  settings: [
    {
      key: 'arc.halfCycles',
      label: { zh: '电弧半周期报警数', en: 'Half-cycles for an alarm' },
      unit: '',
      min: 10,
      max: 14,
      step: 1,
      default: 14,
      source: 'GB 14287.4, GB 31252: 14 in 1 s must alarm, 9 must not',
    },
    temperatureAlarm,
  ],
  actions: [],
  alarms: [
    {
      ...dangerAlarm('fire', 'arc', { zh: '故障电弧报警', en: 'Arc-fault alarm' }, 'arc.alarm', ['series', 'parallel']),
      judges: { points: ['arc.halfCycles'], limit: { setting: 'arc.halfCycles', share: 1 } },
    },
    ...temperatureAlarms(['temperature.a', 'temperature.n']),
    faultAlarm(fault),
  ],
})
