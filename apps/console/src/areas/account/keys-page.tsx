import type { KeyRecord } from '@linewarden/contract'
import { listKeys, revokeKey } from '@linewarden/contract'
import { useState } from 'react'
import { useTranslation } from 'react-i18next'
import { api } from '../../app/net/api.ts'
import { change } from '../../app/net/change.ts'
import { errorTextOf } from '../../app/net/error-text.ts'
import { useRows } from '../../app/net/use-rows.ts'
import { ReasonedButton } from '../../app/notify/reasoned-button.tsx'
import { ConfirmDialog } from '../../ui/confirm-dialog.tsx'
import { CopyValue } from '../../ui/copy-value.tsx'
import { dayTime } from '../../ui/format.ts'
import { addTexts } from '../../ui/i18n.ts'
import { Icon } from '../../ui/icon.tsx'
import { useListState } from '../../ui/list-state.ts'
import { Page } from '../../ui/page.tsx'
import { QueryTable } from '../../ui/query-table.tsx'
import { ShownOnce } from '../../ui/shown-once.tsx'
import type { TableColumn } from '../../ui/table-column.ts'
import type { MadeKey } from './key-form.tsx'
import { KeyForm } from './key-form.tsx'
import { keys } from './key-texts.ts'
import './keys-page.css'

addTexts({ keys })

type Open =
  | { readonly kind: 'form' }
  | { readonly kind: 'revoke'; readonly key: KeyRecord }
  | { readonly kind: 'secret'; readonly made: MadeKey }

/** By which keys do other systems come in, and what may each? */
export function KeysPage() {
  const { t } = useTranslation(['keys', 'app'])
  const list = useListState([], [])
  const [open, setOpen] = useState<Open | null>(null)
  const requestOf = (Page: number, Size: number) => ({ query: { Page, Size } })
  const rows = useRows(listKeys, requestOf(list.page, list.size))
  const columns = useColumns()
  const add = () => setOpen({ kind: 'form' })
  return (
    <Page title={t('title')}>
      <p className="mute keys-what">{t('what')}</p>
      <QueryTable
        label={t('title')}
        columns={columns}
        rows={rows}
        rowKey={({ KeyID }) => KeyID}
        list={list}
        actions={
          <button type="button" className="btn primary" onClick={add}>
            <Icon name="plus" />
            {t('add')}
          </button>
        }
        rowActions={(key) => (
          <ReasonedButton
            className="btn small quiet"
            reason={key.State === 'active' ? null : t('revokedAlready')}
            onClick={() => setOpen({ kind: 'revoke', key })}
          >
            {t('revoke')}
          </ReasonedButton>
        )}
        empty={{ title: t('none'), hint: t('noneHint'), action: { label: t('add'), run: add } }}
        fetchPage={(page, size) => api.call(listKeys, requestOf(page, size))}
      />
      {open?.kind === 'form' && (
        <KeyForm
          onMade={(made) => setOpen({ kind: 'secret', made })}
          // Saving closes the form; the secret must still be seen after that.
          onClose={() => setOpen((now) => (now?.kind === 'form' ? null : now))}
        />
      )}
      {open?.kind === 'secret' && <KeySecret made={open.made} onClose={() => setOpen(null)} />}
      {open?.kind === 'revoke' && (
        <ConfirmDialog
          title={t('revokeTitle', { name: open.key.Name })}
          what={t('revokeWhat')}
          submit={t('revoke')}
          onClose={() => setOpen(null)}
          onConfirm={() => errorTextOf(change(revokeKey, { body: { KeyID: open.key.KeyID } }))}
        />
      )}
    </Page>
  )
}

function KeySecret({ made: { Key, Secret }, onClose }: { made: MadeKey; onClose: () => void }) {
  const { t } = useTranslation('keys')
  const title = t('secretTitle', { name: Key.Name })
  return (
    <ShownOnce title={title} caution={t('secretOnce')} kept={t('secretKept')} wide onClose={onClose}>
      <div>
        <CopyValue label={t('keyId')} value={Key.KeyID} />
        <CopyValue label={t('secret')} value={Secret} />
      </div>
    </ShownOnce>
  )
}

function useColumns(): readonly TableColumn<KeyRecord>[] {
  const { t } = useTranslation('keys')
  const column = (key: string, head: string, text: (row: KeyRecord) => string): TableColumn<KeyRecord> => ({
    ...{ key, head, text },
    cell: (row) => text(row) || '–',
  })
  return [
    column('Name', t('name'), ({ Name }) => Name),
    column('rights', t('rights'), ({ Operates }) => t(Operates ? 'operates' : 'reads')),
    column('projects', t('projects'), ({ Projects }) => Projects.map(({ Name }) => Name).join('、')),
    column('UserName', t('owner'), ({ UserName }) => UserName),
    column('State', t('state'), ({ State }) => t(State)),
    column('ExpiresAt', t('expires'), ({ ExpiresAt }) => dayTime(ExpiresAt)),
    column('LastUsedAt', t('lastUsed'), ({ LastUsedAt }) => (LastUsedAt === null ? t('never') : dayTime(LastUsedAt))),
  ]
}
