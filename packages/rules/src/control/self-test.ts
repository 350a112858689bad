import { dayMs } from '@linewarden/equipment'

/** domain.md: a residual-current self-test is overdue after 31 days. */
export const selfTestEveryDays = 31

/** What one self-test that was carried out came to. */
export const testResults = ['passed', 'failed'] as const
export type TestResult = (typeof testResults)[number]

export interface TestDue {
  /** When the next test is due, Unix ms; null: it was never passed, so it is due already. */
  readonly dueAt: number | null
  readonly overdue: boolean
}

/** When a line must be tested next. A failed test does not count: the line stays due until it passes. */
export function testDue(
  last: { readonly at: number; readonly result: TestResult } | null,
  plan: { readonly enabled: boolean; readonly everyDays: number },
  now: number,
): TestDue {
  const dueAt = last?.result === 'passed' ? last.at + plan.everyDays * dayMs : null
  return { dueAt, overdue: plan.enabled && (dueAt === null || now > dueAt) }
}
