import { family } from '../family.ts'
import { standaloneSmokeDetector } from '../smoke-detecting.ts'

/** Battery smoke detector with its own sounder, on 4G. */
export const nt8117 = family({
  ...standaloneSmokeDetector,
  key: 'nt8117',
  label: { zh: '4G独立式烟感 NT8117', en: '4G smoke detector NT8117' },
  calls: ['GET /nt8117/details/lte', 'PUT /nt8117/silencing/lte'],
  models: ['NT8117'],
})
