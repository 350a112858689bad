import {
  detectorFault,
  faultAlarm,
  gasAlarms,
  gasLevel,
  gasState,
  ownTemperature,
  signal,
  silence,
  sounder,
} from '../detecting.ts'
import { family } from '../family.ts'
import { gasRising, gasSettings, valve } from '../gas-detecting.ts'

const fault = detectorFault('sensor', 'expired', 'supply')

/** Combustible-gas detector on the mains, in per cent of the lower explosive limit, with an output to a shut-off valve. */
export const gas = family({
  key: 'gas',
  label: { zh: '可燃气体探测器', en: 'Combustible-gas detector' },
  level: 'device',
  icon: 'gas',
  calls: ['GET /gas/details', 'GET /gas/realtime', 'PUT /gas/silencing'],
  models: ['GAS-1', 'JT-GD'],
  points: [gasLevel(0), ownTemperature(1), signal(3)],
  states: [gasState, sounder, fault, valve],
  settings: gasSettings,
  actions: [silence],
  alarms: [...gasAlarms, gasRising, faultAlarm(fault)],
})
