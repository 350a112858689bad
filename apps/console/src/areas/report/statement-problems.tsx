import type { Statement } from '@linewarden/contract'
import type { ReactNode } from 'react'
import { useTranslation } from 'react-i18next'
import { localised } from '../../ui/i18n.ts'

type Problem = Statement['Problems'][number]

/** So many stand open; the others are folded, so that the next supply is still in sight. */
const shown = 3

/** What stands against issuing a statement. `children`: what can be done about each. */
export function StatementProblems(props: {
  label?: string
  problems: readonly Problem[]
  children?: (problem: Problem) => ReactNode
}) {
  const { label, problems, children } = props
  const { t } = useTranslation('statements')
  const entries = problems.map((problem) => (
    <li key={localised(problem.Text)}>
      {localised(problem.Text)}
      {children?.(problem)}
    </li>
  ))
  // One alone is not folded: the fold would take as much room.
  const open = entries.length > shown + 1 ? shown : entries.length
  return (
    <div className="statement-problems">
      <ol aria-label={label}>{entries.slice(0, open)}</ol>
      {open < entries.length && (
        <details>
          <summary>{t('moreAgainst', { count: entries.length - open })}</summary>
          <ol start={open + 1}>{entries.slice(open)}</ol>
        </details>
      )}
    </div>
  )
}
