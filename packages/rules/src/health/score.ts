import type { HealthBand, HealthCategory } from './categories.ts'
import { bandOf } from './categories.ts'
import type { LineExam } from './exam-line.ts'

const worstShare = 0.1

/** What a whole plant came to: the mean of all lines and of the worst tenth, so that one bad line cannot hide among a thousand good ones. */
export interface HealthScore {
  readonly score: number
  readonly band: HealthBand
  readonly average: number
  readonly worstTenth: number
  readonly worstLines: number
}

/** Null: no line has a score. */
export function healthScore(scores: readonly number[]): HealthScore | null {
  if (scores.length === 0) return null
  const mean = (of: readonly number[]) => of.reduce((sum, each) => sum + each, 0) / of.length
  const worst = scores.toSorted((a, b) => a - b).slice(0, Math.ceil(worstShare * scores.length))
  const [average, worstTenth] = [mean(scores), mean(worst)]
  const score = Math.round((average + worstTenth) / 2)
  return { score, band: bandOf(score), average, worstTenth, worstLines: worst.length }
}

/** What a category, or the ceiling, took from all lines together. */
export interface HealthCost {
  readonly category: HealthCategory | 'ceiling'
  readonly points: number
  readonly lines: number
}

/** The dearest first; together they are what the lines lost. */
export function healthCosts(exams: readonly Pick<LineExam, 'parts' | 'ceilingCost'>[]): HealthCost[] {
  const costs = new Map<HealthCost['category'], { points: number; lines: number }>()
  const add = (category: HealthCost['category'], points: number) => {
    if (points === 0) return
    const known = costs.get(category) ?? { points: 0, lines: 0 }
    costs.set(category, { points: known.points + points, lines: known.lines + 1 })
  }
  for (const { parts, ceilingCost } of exams) {
    for (const { category, counted } of parts) add(category, counted)
    add('ceiling', ceilingCost)
  }
  return [...costs].map(([category, cost]) => ({ category, ...cost })).sort((a, b) => b.points - a.points)
}
