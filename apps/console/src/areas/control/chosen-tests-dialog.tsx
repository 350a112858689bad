import type { TestDue } from '@linewarden/contract'
import { useTranslation } from 'react-i18next'
import { hasFailed } from '../../app/net/combined-query.ts'
import { WaitingDialog } from '../../app/net/waiting-dialog.tsx'
import { useLineRefs, useProjects } from '../../plant/queries.ts'
import { useSameNumbers } from '../../ui/use-same-numbers.ts'
import { GroupOperationDialog } from './group-operation-dialog.tsx'
import { PlanDialog } from './plan-dialog.tsx'

/** Tests the chosen lines of those shown, or gives them a plan. What is needed to operate them comes with their projects. */
export function ChosenTestsDialog({
  what,
  shown,
  chosen,
  onClose,
}: {
  what: 'test' | 'plan'
  shown: readonly TestDue[]
  /** Ids of lines. */
  chosen: ReadonlySet<string>
  onClose: () => void
}) {
  const { t } = useTranslation('safety')
  const { projects, lacking } = useProjects(useSameNumbers([...new Set(shown.map(({ HouseID }) => HouseID))]))
  const lines = useLineRefs(projects).filter(({ line }) => chosen.has(String(line.LineID)))
  if (lacking) return hasFailed(lacking) && <WaitingDialog title={t(what)} query={lacking} onClose={onClose} />
  const [first] = lines
  if (!first) return null
  if (what === 'test') return <GroupOperationDialog title={t('test')} lines={lines} only="selfTest" onClose={onClose} />
  return (
    <PlanDialog
      title={lines.length === 1 ? t('planOne', { name: first.line.LineName }) : t('planMany', { count: lines.length })}
      lines={lines}
      present={null}
      onClose={onClose}
    />
  )
}
