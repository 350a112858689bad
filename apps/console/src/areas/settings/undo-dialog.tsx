import type { SettingChange } from '@linewarden/contract'
import { undoSetting } from '@linewarden/contract'
import { familyOf } from '@linewarden/equipment'
import { useTranslation } from 'react-i18next'
import { api } from '../../app/api.ts'
import { WaitingDialog } from '../../app/waiting-dialog.tsx'
import { said as inWords } from '../../texts/i18n.ts'
import { resultOf, showResults } from './changes.ts'
import { useChangedLine } from './queries.ts'
import { SendDialog } from './send-dialog.tsx'
import { weakenedBy } from './values.ts'

/**
 * Takes one change back. What it had been may itself be a weak value, or a protection that was off: then the dialog asks for how long, as for
 * any other order. The line may be any that its history shows, so what it is made of is asked for.
 */
export function UndoDialog({ change, values, onClose }: { change: SettingChange; values: string; onClose: () => void }) {
  const { t } = useTranslation('settings')
  const changed = useChangedLine(change)
  const title = t('undoTitle', { name: change.LineName })
  const line = changed.data
  if (line === undefined) return <WaitingDialog title={title} query={changed} onClose={onClose} />
  const family = line && familyOf(line.Family)
  const former = Object.fromEntries(change.Settings.flatMap(({ Key, Former }) => (Former === null ? [] : [[Key, Former]])))
  const weakened = line && family ? weakenedBy(family, line, former) : []
  return (
    <SendDialog
      title={title}
      what={t('undoWhat', { values })}
      weakened={weakened.map(({ label }) => inWords(label))}
      onClose={onClose}
      onSend={async ({ id, ...why }) => {
        const undone = await api.call(undoSetting, { body: { ChangeID: change.CommandID, CommandID: id, ...why } })
        showResults([resultOf(undone)])
      }}
    />
  )
}
