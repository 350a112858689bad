import { breaker1p } from './families/breaker-1p.ts'
import { breaker3p } from './families/breaker-3p.ts'
import { smoke } from './families/smoke.ts'
import type { Family, Point } from './family.ts'

/** Every family Linewarden knows. Adding one is one file under `families/` and one line here. */
export const families: readonly Family[] = [breaker3p, breaker1p, smoke]

const byKey = new Map(families.map((each) => [each.key, each]))
const byModel = new Map(families.flatMap((each) => each.models.map((model) => [model, each] as const)))

/** The family a key names, or null if there is none. */
export const familyOf = (key: string): Family | null => byKey.get(key) ?? null

/** The family that lists this model code, or null: an unlisted model must name its family at birth. */
export const familyOfModel = (model: string): Family | null => byModel.get(model) ?? null

/** The point of a family by key, or null. */
export const pointOf = (family: Family, key: string): Point | null => family.points.find((point) => point.key === key) ?? null
