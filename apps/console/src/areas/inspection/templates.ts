import { familyOf } from '@linewarden/equipment'
import type { CountedFrom, CycleUnit, PhotoDemand, SignatureDemand } from '@linewarden/rules/inspection'
import { maxStops } from '@linewarden/rules/inspection'
import type { Cabinet, ChosenStop } from './stops.ts'

/** What most plants walk first. A template fills the form, and every part of it can be changed. */
export const templateKeys = ['tripTest', 'cabinets', 'detectors', 'thermography'] as const
export type TemplateKey = (typeof templateKeys)[number]

interface Template {
  readonly every: number
  readonly unit: CycleUnit
  readonly countsFrom: CountedFrom
  readonly windowDays: number
  readonly signature: SignatureDemand
  readonly photoOn: PhotoDemand
  readonly takes: (stop: ChosenStop) => boolean
}

const isBreaker = ({ kind, list }: ChosenStop): boolean => kind === 'device' && familyOf(list)?.level === 'line'
const isDetector = ({ kind, list }: ChosenStop): boolean => kind === 'device' && familyOf(list)?.level === 'device'
const usual = { countsFrom: 'plan', signature: 'inspector', photoOn: 'defect' } as const

export const templates: Readonly<Record<TemplateKey, Template>> = {
  // GB/T 13955: the test button of every leakage breaker, each month.
  tripTest: { ...usual, every: 1, unit: 'month', windowDays: 3, takes: isBreaker },
  cabinets: { ...usual, every: 1, unit: 'month', windowDays: 3, takes: ({ kind }) => kind === 'gateway' },
  // GB 25201: detectors are tested in turn, and cleaned.
  detectors: { ...usual, countsFrom: 'completion', every: 3, unit: 'month', windowDays: 3, takes: isDetector },
  // NFPA 70B: once a year, with at least 40 % of the load.
  thermography: {
    ...usual,
    countsFrom: 'completion',
    every: 1,
    unit: 'year',
    windowDays: 15,
    photoOn: 'always',
    takes: isBreaker,
  },
}

/** The route of a template: what of a project it is about, as far as one round can hold it. */
export const routeOf = (key: TemplateKey, cabinets: readonly Cabinet[]): readonly ChosenStop[] =>
  cabinets
    .flatMap(({ gateway, devices }) => [gateway, ...devices])
    .filter(templates[key].takes)
    .slice(0, maxStops)
