import { signalWeak } from '../detecting.ts'
import { family } from '../family.ts'
import { gasDetector } from '../gas-detecting.ts'

/** Combustible-gas detector for homes and kitchens with its own sounder, on 4G. */
export const nt9141 = family({
  ...gasDetector,
  key: 'nt9141',
  label: { zh: '4G独立式燃气探测器 NT9141', en: '4G combustible-gas detector NT9141' },
  calls: ['GET /nt9141/details/lte', 'PUT /nt9141/silencing/lte'],
  models: ['NT9141'],
  alarms: [...gasDetector.alarms, signalWeak],
})
