import { family } from '../family.ts'
import { gasDetector } from '../gas-detecting.ts'

/** Combustible-gas detector on the mains, in per cent of the lower explosive limit, with an output to a shut-off valve. */
export const gas = family({
  ...gasDetector,
  key: 'gas',
  label: { zh: '可燃气体探测器', en: 'Combustible-gas detector' },
  calls: ['GET /gas/details', 'GET /gas/realtime', 'PUT /gas/silencing'],
  models: ['GAS-1', 'JT-GD'],
})
