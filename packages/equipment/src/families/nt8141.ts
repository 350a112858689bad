import { family } from '../family.ts'
import { standaloneSmokeDetector } from '../smoke-detecting.ts'

/** Battery smoke detector with its own sounder, on NB-IoT. */
export const nt8141 = family({
  ...standaloneSmokeDetector,
  key: 'nt8141',
  label: { zh: 'NB独立式烟感 NT8141', en: 'NB-IoT smoke detector NT8141' },
  calls: ['GET /nt8141/details/nb', 'PUT /nt8141/silencing'],
  models: ['NT8141'],
})
