import type { LineSettings, SettingTemplate } from '@linewarden/contract'
import { updateLines } from '@linewarden/contract'
import type { Family } from '@linewarden/equipment'
import { validSeconds } from '@linewarden/rules/control'
import { useState } from 'react'
import { useTranslation } from 'react-i18next'
import { api } from '../../app/net/api.ts'
import { WaitingDialog } from '../../app/net/waiting-dialog.tsx'
import type { LineRef } from '../../plant/equipment.ts'
import { Mark } from '../../ui/mark.tsx'
import { Blocks, isBlocked } from './blocks.tsx'
import { changeRows, targetAt } from './change-rows.ts'
import { showResults } from './changes.ts'
import { targetOf, useLineSettings } from './queries.ts'
import { SendDialog } from './send-dialog.tsx'
import { bypassedBy } from './values.ts'

/** Sends values to many lines. What they bypass depends on how each of those lines is set now, and not on where the values come from. */
export function CopyDialog({
  family,
  targets,
  wanted,
  template,
  onSent,
  onClose,
}: {
  family: Family
  targets: readonly LineRef[]
  wanted: Readonly<Record<string, number>>
  template: SettingTemplate | null
  onSent: () => void
  onClose: () => void
}) {
  const { t } = useTranslation('settings')
  // The lines that were chosen when it was opened: that is what is sent to.
  const [chosen] = useState(targets)
  const lines = useLineSettings(chosen)
  const [blocked, setBlocked] = useState<readonly LineSettings[] | null>(null)
  // What it says at first stays: nobody sends to a line that they read was left out, and sending again sends to the same.
  if (lines.data && blocked === null) setBlocked(lines.data.filter(isBlocked))
  if (!lines.data || blocked === null)
    return <WaitingDialog title={t('sendTo', { count: chosen.length })} query={lines} onClose={onClose} />
  const ready = chosen.filter(({ line: { LineID } }) => blocked.every((each) => each.LineID !== LineID))
  const title = t('sendTo', { count: ready.length })
  const sentTo = lines.data.filter(({ LineID }) => ready.some(({ line }) => line.LineID === LineID))
  const bypassed = new Set(sentTo.flatMap((line) => bypassedBy(family, line, wanted)))
  return (
    <SendDialog
      title={title}
      what={t('sendWhat', { seconds: validSeconds('set') })}
      intent={{ lines: ready.map(targetOf), settings: wanted }}
      ready={ready.length > 0}
      rows={changeRows(family.settings, sentTo, wanted, bypassed)}
      targets={ready.map(targetAt)}
      onClose={onClose}
      onSend={async ({ id, ...why }) => {
        const Settings = Object.entries(wanted).map(([Key, Value]) => ({ Key, Value }))
        const body = { Targets: ready.map(targetOf), Settings, BatchID: id, ...why }
        const { items } = await api.call(updateLines, {
          body: { ...body, ...(template && { TemplateID: template.TemplateID }) },
        })
        showResults(items)
        onSent()
      }}
    >
      {blocked.length > 0 && (
        <>
          <p className="caution">
            <Mark kind="warning" />
            {t('leftOut', { count: blocked.length })}
          </p>
          <Blocks lines={blocked} named />
        </>
      )}
    </SendDialog>
  )
}
