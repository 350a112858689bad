import type { Action, Phase, Point, Setting, StatePoint, Text } from './family.ts'
import { COUNTER_SLOT } from './family.ts'

/** Points, states, settings and actions shared by every breaker family. Slots are fixed for ever: see `Point.slot`. */

const phaseName: Record<Phase, Text> = {
  A: { zh: 'A相', en: 'A' },
  B: { zh: 'B相', en: 'B' },
  C: { zh: 'C相', en: 'C' },
  N: { zh: 'N线', en: 'N' },
}
const slotOffset: Record<Phase, number> = { A: 0, B: 1, C: 2, N: 3 }

const perPhase =
  (quantity: 'current' | 'voltage' | 'power' | 'temperature', name: Text, unit: string, precision: number, first: number) =>
  (phase: Phase): Point => ({
    key: `${quantity}.${phase.toLowerCase()}`,
    label: { zh: `${phaseName[phase].zh}${name.zh}`, en: `${name.en} ${phaseName[phase].en}` },
    quantity,
    unit,
    precision,
    phase,
    slot: first + slotOffset[phase],
  })

export const current = perPhase('current', { zh: '电流', en: 'Current' }, 'A', 1, 0)
export const voltage = perPhase('voltage', { zh: '电压', en: 'Voltage' }, 'V', 1, 3)
export const power = perPhase('power', { zh: '功率', en: 'Power' }, 'kW', 2, 6)
export const temperature = perPhase('temperature', { zh: '温度', en: 'Temperature' }, '°C', 1, 11)

export const totalPower: Point = {
  key: 'power.total',
  label: { zh: '总功率', en: 'Total power' },
  quantity: 'power',
  unit: 'kW',
  precision: 2,
  slot: 9,
}
export const residual: Point = {
  key: 'residual',
  label: { zh: '剩余电流', en: 'Residual current' },
  quantity: 'residual',
  unit: 'mA',
  precision: 0,
  slot: 10,
}
export const powerFactor: Point = {
  key: 'powerFactor',
  label: { zh: '功率因数', en: 'Power factor' },
  quantity: 'powerFactor',
  unit: '',
  precision: 2,
  slot: 15,
}
export const energy: Point = {
  key: 'energy',
  label: { zh: '电能', en: 'Energy' },
  quantity: 'energy',
  unit: 'kWh',
  precision: 1,
  slot: COUNTER_SLOT,
}

/** What a three-phase switch measures per phase and in all, and how warm its terminals are. */
export const threePhaseLoad: readonly Point[] = [
  ...[current, voltage, power].flatMap((each) => [each('A'), each('B'), each('C')]),
  totalPower,
]
export const terminalTemperatures: readonly Point[] = [temperature('A'), temperature('B'), temperature('C'), temperature('N')]

export const position: StatePoint = {
  key: 'position',
  label: { zh: '开关位置', en: 'Position' },
  values: [
    { key: 'open', label: { zh: '分闸', en: 'Open' } },
    { key: 'closed', label: { zh: '合闸', en: 'Closed' } },
  ],
}

/** Why the breaker opened, as the breaker itself reports it. Codes are the wire's and never change. */
export const tripCause: StatePoint = {
  key: 'trip.cause',
  label: { zh: '脱扣原因', en: 'Trip cause' },
  values: [
    { key: 'none', label: { zh: '无', en: 'None' } },
    { key: 'leakage', label: { zh: '漏电', en: 'Residual current' } },
    { key: 'short', label: { zh: '短路', en: 'Short circuit' } },
    { key: 'overload', label: { zh: '过载', en: 'Overload' } },
    { key: 'overvoltage', label: { zh: '过压', en: 'Overvoltage' } },
    { key: 'undervoltage', label: { zh: '欠压', en: 'Undervoltage' } },
    { key: 'overtemperature', label: { zh: '过温', en: 'Overtemperature' } },
    { key: 'arc', label: { zh: '电弧', en: 'Arc fault' } },
    { key: 'manual', label: { zh: '就地手动', en: 'By hand, on site' } },
    { key: 'remote', label: { zh: '远程分闸', en: 'Remote trip' } },
    { key: 'selfTest', label: { zh: '漏电自检', en: 'RCD test' } },
  ],
}

export const localLock: StatePoint = {
  key: 'lock.local',
  label: { zh: '就地锁', en: 'Local lock' },
  values: [
    { key: 'off', label: { zh: '未锁', en: 'Off' } },
    { key: 'on', label: { zh: '已锁', en: 'On' } },
  ],
}

/** The breaker says `running` before each test: only a result that comes after it is this test's own. */
export const selfTest: StatePoint = {
  key: 'selfTest',
  label: { zh: '漏电自检', en: 'RCD test' },
  values: [
    { key: 'notDone', label: { zh: '未做', en: 'Not done' } },
    { key: 'passed', label: { zh: '合格', en: 'Passed' } },
    { key: 'failed', label: { zh: '不合格', en: 'Failed' } },
    { key: 'running', label: { zh: '正在自检', en: 'Running' } },
  ],
}

// Ranges: specification section 5. Defaults are ours unless a source is named.
export const overloadTrip: Setting = {
  key: 'overload.trip',
  label: { zh: '过载保护', en: 'Overload protection' },
  unit: 'A',
  min: 1,
  max: { timesIn: 1.2 },
  step: 1,
  default: { timesIn: 1.1 },
  source: 'specification 5',
  weak: 'high',
}
export const overloadDelay: Setting = {
  key: 'overload.delay',
  label: { zh: '过载延时', en: 'Overload time' },
  unit: 's',
  min: 1,
  max: 3600,
  step: 1,
  default: 60,
  source: 'specification 5',
  weak: 'high',
}
export const overloadWarning: Setting = {
  key: 'overload.warning',
  label: { zh: '过载预警', en: 'Overload warning' },
  unit: 'A',
  min: 1,
  max: { timesIn: 1 },
  step: 1,
  default: { timesIn: 0.8 },
  source: 'specification 5',
  weak: 'high',
}
/** Its whole range lies within the rated current: no value of it is a weak one. */
export const overloadAlarm: Setting = {
  key: 'overload.alarm',
  label: { zh: '过载报警', en: 'Overload alarm' },
  unit: 'A',
  min: 1,
  max: { timesIn: 1 },
  step: 1,
  default: { timesIn: 1 },
  source: 'specification 5',
}
export const temperatureAlarm: Setting = {
  key: 'temperature.alarm',
  label: { zh: '温度报警', en: 'Temperature alarm' },
  unit: '°C',
  min: 1,
  max: 120,
  step: 1,
  default: 80,
  source: 'specification 5',
  weak: 'high',
}
export const overvoltage: Setting = {
  key: 'overvoltage',
  label: { zh: '过压保护', en: 'Overvoltage' },
  unit: 'V',
  min: 240,
  max: 300,
  step: 1,
  default: 265,
  source: 'specification 5 and 9',
  voltageBand: 'over',
  weak: 'high',
}
export const undervoltage: Setting = {
  key: 'undervoltage',
  label: { zh: '欠压保护', en: 'Undervoltage' },
  unit: 'V',
  min: 150,
  max: 200,
  step: 1,
  default: 175,
  source: 'specification 5 and 9',
  voltageBand: 'under',
  weak: 'low',
}
export const leakageTrip: Setting = {
  key: 'leakage.trip',
  label: { zh: '漏电动作值', en: 'Residual operating current' },
  unit: 'mA',
  min: 30,
  max: 500,
  step: 1,
  default: 300,
  source: 'specification 5; GB 14287.2 for 300-500 mA fire protection, 30 mA for persons',
  weak: 'high',
}
/** What every remotely operated breaker lets people set. */
export const breakerSettings = [
  overloadTrip,
  overloadDelay,
  overloadWarning,
  overloadAlarm,
  temperatureAlarm,
  overvoltage,
  undervoltage,
] as const

export const switchActions = [
  { key: 'trip', label: { zh: '分闸', en: 'Trip' }, confirmedBy: { state: 'position', value: 'open' } },
  { key: 'close', label: { zh: '合闸', en: 'Close' }, confirmedBy: { state: 'position', value: 'closed' } },
] as const satisfies readonly Action[]

/** IEC 61009: the breaker trips itself within 300 ms of a test current at IDn, and stays open until somebody closes it. */
export const leakageSelfTest: Action = {
  key: 'selfTest',
  label: { zh: '漏电自检', en: 'RCD test' },
  confirmedBy: { state: 'selfTest', value: 'passed' },
  byChange: true,
  measures: 'tripMs',
}

/** The calls every switched line answers (specification 7, "Controllers, status and lines"). */
export const lineCalls = [
  'POST /status/analysis',
  'PUT /status/{ID}/{type}/{attr}',
  'PUT /status/{ControllerID}',
  'PUT /lines/{ControllerID}/{LineNo}/{attr}',
  'GET /lines/{ControllerID}/{LineNo}',
] as const
export const leakageCalls = [
  'POST /lines/testleakages',
  'PUT /line/detection',
  'GET /line/detection/{DeviceID}/{LineID}',
] as const
