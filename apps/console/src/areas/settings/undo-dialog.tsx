import type { SettingChange } from '@linewarden/contract'
import { undoSetting } from '@linewarden/contract'
import { familyOf } from '@linewarden/equipment'
import { reportingInterval, sameSetting } from '@linewarden/rules/settings'
import { useTranslation } from 'react-i18next'
import { api } from '../../app/net/api.ts'
import { WaitingDialog } from '../../app/net/waiting-dialog.tsx'
import { localised as inWords } from '../../ui/i18n.ts'
import { Mark } from '../../ui/mark.tsx'
import { Blocks, isBlocked } from './blocks.tsx'
import { changeRows } from './change-rows.ts'
import { resultOf, showResults } from './changes.ts'
import { useChangedLine } from './queries.ts'
import { SendDialog } from './send-dialog.tsx'
import { bypassedBy, withUnit } from './values.ts'

/**
 * Takes one change back. What it had been may itself be a weak value, or a protection that was off: then the dialog asks for how long, as for
 * any other order. The line may be any that its history shows, so what it is made of is asked for.
 */
export function UndoDialog({ change, onClose }: { change: SettingChange; onClose: () => void }) {
  const { t } = useTranslation(['settings', 'app'])
  const changed = useChangedLine(change)
  const title = t('undoTitle', { name: change.LineName })
  const line = changed.data
  if (line === undefined) return <WaitingDialog title={title} query={changed} onClose={onClose} />
  const family = line && familyOf(line.Family)
  const former = Object.fromEntries(change.Settings.flatMap(({ Key, Former }) => (Former === null ? [] : [[Key, Former]])))
  const present = (line?.Settings ?? []).flatMap(({ Key, Reported }) =>
    Reported === null || former[Key] === undefined ? [] : [{ Key, Value: Reported }],
  )
  const since = change.Settings.flatMap(({ Key, Wanted }) => {
    const now = present.find((each) => each.Key === Key)
    const setting = family?.settings.find(({ key }) => key === Key)
    const other = now && setting && [Wanted, former[Key]].every((each) => each === undefined || !sameSetting(each, now.Value))
    return other ? [`${inWords(setting.label)} ${withUnit(setting, now.Value)}`] : []
  })
  // What no line stands for is the gateway's own.
  const rows =
    line && family
      ? changeRows(family.settings, [line], former, new Set(bypassedBy(family, line, former)))
      : changeRows([reportingInterval], [], former, new Set())
  return (
    <SendDialog
      title={title}
      what={t('undoWhat')}
      intent={{ undoes: change.CommandID }}
      rows={rows}
      targets={[{ name: change.LineName, place: line ? [line.GatewayName, `${line.ControllerID} #${line.LineNo}`] : [] }]}
      ready={line === null || !isBlocked(line)}
      onClose={onClose}
      onSend={async ({ id, ...why }) => {
        const undone = await api.call(undoSetting, { body: { ChangeID: change.CommandID, CommandID: id, Seen: present, ...why } })
        showResults([resultOf(undone)])
      }}
    >
      {since.length > 0 && (
        <p className="caution">
          <Mark kind="warning" />
          {t('undoSince', { values: since.join(t('app:semicolon')) })}
        </p>
      )}
      {line && <Blocks lines={[line]} named />}
    </SendDialog>
  )
}
