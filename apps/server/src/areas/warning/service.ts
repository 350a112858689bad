import { RulesInForce } from './rules-in-force.ts'

/** Early warning: what detectors find on lines, and by which rules. */
export function createWarnings() {
  return { rules: new RulesInForce() }
}
