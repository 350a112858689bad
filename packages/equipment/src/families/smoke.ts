import { family } from '../family.ts'
import { smokeDetector } from '../smoke-detecting.ts'

/** Networked smoke detector. Its alarm latches: only the detector's own reset clears it. */
export const smoke = family({
  ...smokeDetector,
  key: 'smoke',
  label: { zh: '烟感探测器', en: 'Smoke detector' },
  calls: ['GET /smoke/details', 'PUT /smoke/silencing'],
  models: ['SM-1', 'JTY-GD'],
})
