import type { JournalRecord } from '@linewarden/contract'
import { maxNamed } from '@linewarden/contract'
import { useState } from 'react'
import { useTranslation } from 'react-i18next'
import { Page } from '../../ui/page.tsx'
import { QueryTable } from '../../ui/query-table.tsx'
import { useMe } from '../site/queries.ts'
import { EntryDrawer } from './entry-drawer.tsx'
import { logColumns } from './log-columns.tsx'
import { LogFilters } from './log-filters.tsx'
import { useLog } from './use-log.ts'
import { Verify } from './verify.tsx'
import '../../ui/outdated.css'
import './log-page.css'

/** Who did what, when, and with what outcome? Nothing in it can be edited; a chain of check values shows whether anything was. */
export function LogPage() {
  const { t } = useTranslation('people')
  const platform = useMe().data?.Kind === 'platform'
  const { list, target, rows, exportPage } = useLog()
  const [open, setOpen] = useState<JournalRecord | null>(null)
  const names = rows.data?.about.Names
  return (
    <Page title={t('log')} tools={platform && <Verify />}>
      {target !== '' && names !== undefined && names !== 'all' && (
        <p className="outdated" role="status">
          {names === 'cut' ? t('namesCut', { text: target, most: maxNamed }) : t('namesShort')}
        </p>
      )}
      <QueryTable
        label={t('log')}
        columns={logColumns(t)}
        rows={rows}
        rowKey={({ ID }) => ID}
        list={list}
        filters={<LogFilters list={list} />}
        rowActions={(entry) =>
          (entry.Before !== null || entry.After !== null) && (
            <button type="button" className="btn small quiet" onClick={() => setOpen(entry)}>
              {t('details')}
            </button>
          )
        }
        empty={{ title: t('noLog') }}
        fetchPage={exportPage}
      />
      {open && <EntryDrawer entry={open} onClose={() => setOpen(null)} />}
    </Page>
  )
}
