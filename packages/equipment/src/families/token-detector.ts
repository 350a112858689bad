import { family } from '../family.ts'
import { networkSmokeDetector } from '../smoke-detecting.ts'

/**
 * A smoke detector people reach by its own opaque access token, without an account. The token opens this one device's details and its
 * silencing, nothing else.
 */
export const tokenDetector = family({
  ...networkSmokeDetector,
  key: 'tokenDetector',
  label: { zh: '凭码访问探测器', en: 'Detector by access token' },
  calls: ['GET {token}', 'PUT {token}'],
  models: ['TK-1'],
})
