import type { TestDue } from '@linewarden/contract'
import { useState } from 'react'
import { useTranslation } from 'react-i18next'
import { hasFailed } from '../../app/net/combined-query.ts'
import { WaitingDialog } from '../../app/net/waiting-dialog.tsx'
import type { LineRef } from '../../plant/equipment.ts'
import { useLineRefs, useProjects } from '../../plant/queries.ts'
import { useSameNumbers } from '../../ui/use-same-numbers.ts'
import { GroupOperationDialog } from './group-operation-dialog.tsx'
import { PlanDialog } from './plan-dialog.tsx'

/** Tests the chosen lines, or gives them a plan. What is needed to operate them comes with their projects. */
export function ChosenTestsDialog({
  what,
  rows,
  onClose,
}: {
  what: 'test' | 'plan'
  /** As they were chosen, whatever is read behind the dialog. */
  rows: readonly TestDue[]
  onClose: () => void
}) {
  const { t } = useTranslation('safety')
  const { projects, lacking } = useProjects(useSameNumbers([...new Set(rows.map(({ HouseID }) => HouseID))]))
  const found = useLineRefs(projects).filter(({ line }) => rows.some(({ LineID }) => LineID === line.LineID))
  // Once they are here the dialog is about them, also when the plant has changed meanwhile.
  const [opened, setOpened] = useState<readonly LineRef[] | null>(null)
  if (opened === null && !lacking) setOpened(found)
  const lines = opened ?? found
  if (opened === null && lacking) return hasFailed(lacking) && <WaitingDialog title={t(what)} query={lacking} onClose={onClose} />
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
