import { allCalls } from '@linewarden/contract'
import type { SpecifiedCall } from './specified-calls.ts'
import { specifiedCalls } from './specified-calls.ts'

export interface SectionCoverage {
  readonly section: string
  readonly specified: number
  readonly covered: number
  /** Not ours, and the list says why. */
  readonly otherwise: readonly string[]
  /** Named as not built yet. */
  readonly toCome: readonly string[]
  readonly missing: readonly string[]
  /** Whether the specification shows paths: where it does not, other sections name the same calls again. */
  readonly hasPaths: boolean
}

/** Parameter names are our own; where they stand is not. */
export const shapeOf = (call: string): string => call.replace(/\{[^}]*\}|:[A-Za-z]+/g, '{}').replace(/\/$/, '')

const ours: ReadonlySet<string> = new Set(allCalls.map(({ method, path }) => shapeOf(`${method} ${path}`)))

/** Which of the specified calls the contract has, section by section. */
export function coverage(specified: readonly SpecifiedCall[] = specifiedCalls, known = ours): readonly SectionCoverage[] {
  return [...Map.groupBy(specified, ({ section }) => section)].map(([section, calls]) => {
    const has = ({ call, answeredBy }: SpecifiedCall) => known.has(shapeOf(answeredBy ?? call))
    const lacking = calls.filter((each) => !has(each))
    return {
      section,
      specified: calls.length,
      covered: calls.length - lacking.length,
      otherwise: lacking.flatMap(({ call, otherwise }) => (otherwise === undefined ? [] : [`${call}: ${otherwise}`])),
      toCome: lacking.flatMap(({ call, comesWith }) => (comesWith === undefined ? [] : [`${call}: comes with ${comesWith}`])),
      missing: lacking
        .filter(({ otherwise, comesWith }) => otherwise === undefined && comesWith === undefined)
        .map(({ call }) => call),
      hasPaths: calls.some(({ call }) => /^[A-Z]+ [/{]/.test(call)),
    }
  })
}

/** What `npm run coverage:calls` prints. The total counts each call that the specification names by its path once. */
export function coverageReport(sections: readonly SectionCoverage[]): string {
  const width = Math.max(...sections.map(({ section }) => section.length), 'Total'.length)
  const line = (name: string, covered: number, specified: number, otherwise: number, toCome: number, missing: number) =>
    `${name.padEnd(width)}  ${`${covered}/${specified}`.padStart(7)}  decided otherwise ${otherwise}  to come ${toCome}  missing ${missing}`
  const counted = sections.filter(({ hasPaths }) => hasPaths)
  const sum = (of: (each: SectionCoverage) => number) => counted.reduce((total, each) => total + of(each), 0)
  return [
    ...sections.flatMap(({ section, specified, covered, otherwise, toCome, missing }) => [
      line(section, covered, specified, otherwise.length, toCome.length, missing.length),
      ...otherwise.map((each) => `  otherwise  ${each}`),
      ...toCome.map((each) => `  to come    ${each}`),
      ...missing.map((each) => `  missing    ${each}`),
    ]),
    line(
      'Total',
      sum(({ covered }) => covered),
      sum(({ specified }) => specified),
      sum(({ otherwise }) => otherwise.length),
      sum(({ toCome }) => toCome.length),
      sum(({ missing }) => missing.length),
    ),
    '',
  ].join('\n')
}
