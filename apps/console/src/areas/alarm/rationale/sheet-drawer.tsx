import type { AlarmRationaleRecord, RationaleChange } from '@linewarden/contract'
import { listRationaleChanges, restoreAlarmRationale } from '@linewarden/contract'
import { useState } from 'react'
import { useTranslation } from 'react-i18next'
import { change } from '../../../app/net/change.ts'
import { ChangeHistory, useChanges } from '../../../app/net/change-history.tsx'
import { errorTextOf } from '../../../app/net/error-text.ts'
import { refreshNow } from '../../../app/net/query-client.ts'
import { useCall } from '../../../app/net/use-call.ts'
import { ReasonedButton } from '../../../app/notify/reasoned-button.tsx'
import { ConfirmDialog } from '../../../ui/confirm-dialog.tsx'
import { Drawer } from '../../../ui/drawer.tsx'
import { localised } from '../../../ui/i18n.ts'
import { EditDialog } from './edit-dialog.tsx'
import { partNames, parts } from './parts.ts'

/** What the sheet says of one alarm, where it comes from, and who changed it; with what may be done about that. */
export function SheetDrawer({
  row,
  mayNot,
  onClose,
}: {
  row: AlarmRationaleRecord
  /** Why nothing is written here; null: it may be. */
  mayNot: string | null
  onClose: () => void
}) {
  const { t } = useTranslation(['rationaleSheet', 'app'])
  /** `restore`: the version that stood there when it was asked for. */
  const [open, setOpen] = useState<'edit' | { readonly restore: number } | null>(null)
  const isOwn = row.Origin === (row.HouseID === null ? 'default' : 'project')
  const close = () => setOpen(null)
  const which = { ...(row.HouseID !== null && { HouseID: row.HouseID }), Key: row.Key }
  const families = row.Families.map(localised).join(t('app:listComma'))
  return (
    <Drawer
      label={localised(row.Label)}
      title={<h2>{localised(row.Label)}</h2>}
      subtitle={
        <p className="mute">
          {t(`priorities.${row.AlarmPriority}`)} · {t(`origins.${row.Origin}`)} · <code>{row.Key}</code>
        </p>
      }
      foot={
        <div className="sheet-foot">
          <ReasonedButton className="btn large primary" reason={mayNot} onClick={() => setOpen('edit')}>
            {t(row.Texts === null ? 'write' : 'edit')}
          </ReasonedButton>
          <ReasonedButton
            className="btn large quiet"
            reason={mayNot ?? (isOwn ? null : t('nothingWritten'))}
            onClick={() => setOpen({ restore: row.Version })}
          >
            {t('restore')}
          </ReasonedButton>
        </div>
      }
      onClose={onClose}
    >
      <dl className="sheet-texts">
        {row.Texts === null && <p>{t('noAnswer')}</p>}
        {row.Texts &&
          parts.map((part) => (
            <div key={part}>
              <dt>{t(partNames[part])}</dt>
              <dd>{row.Texts && localised(row.Texts[part])}</dd>
            </div>
          ))}
        <div>
          <dt>{t('equipment')}</dt>
          <dd>{families === '' ? t('byServer') : families}</dd>
        </div>
      </dl>
      <Changes row={row} />
      {open === 'edit' && <EditDialog row={row} onClose={close} />}
      {open !== null && open !== 'edit' && (
        <ConfirmDialog
          title={t('restore')}
          what={t(row.HouseID === null ? 'restoreToBuiltIn' : 'restoreToDefault')}
          submit={t('restore')}
          reasons={[t('restoreReasons.outdated'), t('restoreReasons.mistake'), t('restoreReasons.standard')]}
          onConfirm={async (Reason) => {
            const body = { ...which, Version: open.restore, Reason }
            const problem = await errorTextOf(change(restoreAlarmRationale, { body }))
            // What stands there instead is shown behind.
            if (problem !== null) await refreshNow({ shows: ['rationales'] })
            return problem
          }}
          onClose={close}
        />
      )}
    </Drawer>
  )
}

/** Who changed what, newest first: each text that became another one, before and after. */
function Changes({ row: { HouseID, Key } }: { row: AlarmRationaleRecord }) {
  const { t } = useTranslation('rationaleSheet')
  const { page, more, options } = useChanges()
  const query = useCall(listRationaleChanges, { query: { ...(HouseID !== null && { HouseID }), Key, ...page } }, options)
  return (
    <ChangeHistory
      query={query}
      more={more}
      words={{ title: t('history'), none: t('historyNone'), more: t('historyMore') }}
      className="sheet-history"
    >
      {(each) => (
        <>
          {each.Restored && <p>{t('restored')}</p>}
          <Differences change={each} />
        </>
      )}
    </ChangeHistory>
  )
}

function Differences({ change: { Before, After } }: { change: RationaleChange }) {
  const { t } = useTranslation('rationaleSheet')
  const differences = parts.flatMap((part) =>
    (['zh', 'en'] as const).flatMap((language) => {
      const [before, after] = [Before?.[part][language], After?.[part][language]]
      return before === after ? [] : [{ part, language, before, after }]
    }),
  )
  return (
    <details>
      <summary>{[...new Set(differences.map(({ part }) => t(partNames[part])))].join(' · ')}</summary>
      {differences.map(({ part, language, before, after }) => (
        <div key={part + language}>
          <b>{t('langOf', { part: t(partNames[part]), language: t(language) })}</b>
          <del>{before ?? t('empty')}</del>
          <ins>{after ?? t('empty')}</ins>
        </div>
      ))}
    </details>
  )
}
