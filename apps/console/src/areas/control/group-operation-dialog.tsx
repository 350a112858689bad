import type { GroupAction } from '@linewarden/rules/control'
import { useState } from 'react'
import type { LineRef } from '../../plant/equipment.ts'
import { GroupOperationForm } from './group-operation-form.tsx'
import { GroupOperationProgressDialog } from './group-operation-progress.tsx'
import './operations.css'

/** Several lines as one intent: what, which, why; then how far each has come. */
export function GroupOperationDialog({
  title,
  lines,
  only = null,
  isWhole = true,
  onClose,
}: {
  title: string
  lines: readonly LineRef[]
  /** The one thing it is for, on lines that the person has chosen already; null: both are chosen here. */
  only?: GroupAction | null
  /** False: the page has more lines, which could not be loaded. */
  isWhole?: boolean
  onClose: () => void
}) {
  const [started, setStarted] = useState<string | null>(null)
  if (started) return <GroupOperationProgressDialog operationId={started} title={title} onClose={onClose} />
  return <GroupOperationForm title={title} lines={lines} only={only} isWhole={isWhole} onStarted={setStarted} onClose={onClose} />
}
