import type { SettingTemplate } from '@linewarden/contract'
import { updateLines } from '@linewarden/contract'
import type { Family } from '@linewarden/equipment'
import { useState } from 'react'
import { useTranslation } from 'react-i18next'
import { api } from '../../app/api.ts'
import { WaitingDialog } from '../../app/waiting-dialog.tsx'
import { said as inWords } from '../../texts/i18n.ts'
import type { PlacedLine } from '../monitor/equipment.ts'
import { showResults } from './changes.ts'
import { targetOf, useLineSettings } from './queries.ts'
import { SendDialog } from './send-dialog.tsx'
import { weakenedBy } from './values.ts'

/** Sends values to many lines. What they weaken depends on how each of those lines is set now, and not on where the values come from. */
export function CopyDialog({
  family,
  targets,
  wanted,
  template,
  onSent,
  onClose,
}: {
  family: Family
  targets: readonly PlacedLine[]
  wanted: Readonly<Record<string, number>>
  template: SettingTemplate | null
  onSent: () => void
  onClose: () => void
}) {
  const { t } = useTranslation('settings')
  // The lines that were chosen when it was opened: that is what is sent to.
  const [chosen] = useState(targets)
  const lines = useLineSettings(chosen)
  const title = t('sendTo', { count: chosen.length })
  if (!lines.data) return <WaitingDialog title={title} query={lines} onClose={onClose} />
  const weakened = new Set(lines.data.flatMap((line) => weakenedBy(family, line, wanted)))
  return (
    <SendDialog
      title={title}
      what={t('sendWhat')}
      weakened={[...weakened].map(({ label }) => inWords(label))}
      onClose={onClose}
      onSend={async ({ id, ...why }) => {
        const Settings = Object.entries(wanted).map(([Key, Value]) => ({ Key, Value }))
        const body = { Targets: chosen.map(targetOf), Settings, BatchID: id, ...why }
        const { items } = await api.call(updateLines, {
          body: { ...body, ...(template && { TemplateID: template.TemplateID }) },
        })
        showResults(items)
        onSent()
      }}
    />
  )
}
