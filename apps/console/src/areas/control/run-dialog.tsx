import type { RunAction } from '@linewarden/rules/control'
import { useState } from 'react'
import type { LineRef } from '../../plant/equipment.ts'
import { RunForm } from './run-form.tsx'
import { RunProgressDialog } from './run-progress.tsx'
import './operations.css'

/** Several lines as one intent: what, which, why; then how far each has come. */
export function RunDialog({
  title,
  lines,
  only = null,
  isWhole = true,
  onClose,
}: {
  title: string
  lines: readonly LineRef[]
  /** The one thing it is for, on lines that the person has chosen already; null: both are chosen here. */
  only?: RunAction | null
  /** False: the page has more lines, which could not be loaded. */
  isWhole?: boolean
  onClose: () => void
}) {
  const [started, setStarted] = useState<string | null>(null)
  if (started) return <RunProgressDialog runId={started} title={title} onClose={onClose} />
  return <RunForm title={title} lines={lines} only={only} isWhole={isWhole} onStarted={setStarted} onClose={onClose} />
}
