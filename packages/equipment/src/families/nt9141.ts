import {
  detectorFault,
  faultAlarm,
  gasAlarms,
  gasLevel,
  gasState,
  ownTemperature,
  signal,
  signalWeak,
  silence,
  sounder,
} from '../detecting.ts'
import { family } from '../family.ts'
import { gasRising, gasSettings, valve } from '../gas-detecting.ts'

const fault = detectorFault('sensor', 'expired', 'supply')

/** Combustible-gas detector for homes and kitchens with its own sounder, on 4G. */
export const nt9141 = family({
  key: 'nt9141',
  label: { zh: '4G独立式燃气探测器 NT9141', en: '4G combustible-gas detector NT9141' },
  level: 'device',
  icon: 'gas',
  calls: ['GET /nt9141/details/lte', 'PUT /nt9141/silencing/lte'],
  models: ['NT9141'],
  points: [gasLevel(0), ownTemperature(1), signal(3)],
  states: [gasState, sounder, fault, valve],
  settings: gasSettings,
  actions: [silence],
  alarms: [...gasAlarms, gasRising, faultAlarm(fault), signalWeak],
})
