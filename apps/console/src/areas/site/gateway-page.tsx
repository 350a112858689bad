import type { GatewayRecord } from '@linewarden/contract'
import { listGateways } from '@linewarden/contract'
import type { Dispatch, SetStateAction } from 'react'
import { useState } from 'react'
import { useTranslation } from 'react-i18next'
import { useNavigate, useSearchParams } from 'react-router'
import { api } from '../../app/net/api.ts'
import { useRows } from '../../app/net/use-rows.ts'
import { ReasonedButton } from '../../app/notify/reasoned-button.tsx'
import { useMay, useMayEdit, useMayOpen } from '../../app/session/use-may.ts'
import { paths } from '../../paths.ts'
import { Icon } from '../../ui/icon.tsx'
import { Page } from '../../ui/page.tsx'
import { QueryTable } from '../../ui/query-table.tsx'
import { SelectionBar } from '../../ui/selection-bar.tsx'
import { useChosen } from '../../ui/use-chosen.ts'
import { AnnouncedDialog, AnnouncedStrip } from './announced.tsx'
import { gatewayColumns } from './gateway-columns.tsx'
import { EnableGateway, TransferGateways } from './gateway-dialogs.tsx'
import { GatewayDrawer } from './gateway-drawer.tsx'
import { GatewayFilters, idIn, useGatewayList } from './gateway-filters.tsx'
import { GatewayForm } from './gateway-form.tsx'
import { ImportDialog } from './import/import-dialog.tsx'
import { useProjectNames } from './queries.ts'
import { SecretDialog } from './secret-dialog.tsx'

type Open =
  | { readonly kind: 'import' | 'transfer' | 'announced' }
  | { readonly kind: 'add'; readonly number?: string }
  | { readonly kind: 'secret'; readonly gateway: GatewayRecord; readonly secret: string }
  | { readonly kind: 'enable'; readonly gateway: GatewayRecord }

const rowKey = ({ DeviceID }: GatewayRecord) => String(DeviceID)
/** Connections come and go by themselves. */
const everyMs = 10_000

/** Which gateways are there, where do they belong, and are they connected? */
export function GatewayPage() {
  const { t } = useTranslation(['gateway', 'app'])
  const { list, houseId, requestOf } = useGatewayList()
  const [query, setQuery] = useSearchParams()
  const navigate = useNavigate()
  const [open, setOpen] = useState<Open | null>(null)
  const mayEdit = useMayEdit()
  const projects = useProjectNames()
  const rows = useRows(listGateways, requestOf(list.page, list.size), { everyMs })
  const chosen = useChosen(rows.data?.items, rowKey)
  const opened = idIn(query.get('gateway') ?? '')
  const openGateway = (id: number | null) =>
    setQuery((before) => {
      if (id === null) before.delete('gateway')
      else before.set('gateway', String(id))
      return before
    })
  const noProjects = projects.data?.items.length === 0
  const add = () => setOpen({ kind: 'add' })
  return (
    <Page title={t('title')}>
      <AnnouncedStrip onOpen={() => setOpen({ kind: 'announced' })} />
      <QueryTable
        label={t('title')}
        columns={gatewayColumns(t, ({ DeviceID }) => openGateway(DeviceID))}
        rows={rows}
        rowKey={rowKey}
        list={list}
        {...(mayEdit && { selection: chosen.selection })}
        filters={<GatewayFilters list={list} />}
        actions={mayEdit && <ListActions onOpen={setOpen} />}
        below={
          <SelectionBar keys={chosen.selection.keys} onClear={chosen.clear}>
            <button type="button" className="btn" onClick={() => setOpen({ kind: 'transfer' })}>
              {t('transfer')}
            </button>
          </SelectionBar>
        }
        rowActions={(gateway) => (
          <RowActions gateway={gateway} onOpen={setOpen} onDetails={() => openGateway(gateway.DeviceID)} />
        )}
        empty={
          noProjects
            ? {
                title: t('none'),
                hint: t('noProjectHint'),
                action: { label: t('toProjects'), run: () => navigate('/system/project') },
              }
            : { title: t('none'), hint: t('noneHint'), ...(mayEdit && { action: { label: t('add'), run: add } }) }
        }
        fetchPage={(page, size) => api.call(listGateways, requestOf(page, size))}
      />
      {opened !== null && <GatewayDrawer key={opened} deviceId={opened} onClose={() => openGateway(null)} />}
      {open && <OpenDialog open={open} setOpen={setOpen} houseId={houseId} chosen={chosen} />}
    </Page>
  )
}

function ListActions({ onOpen }: { onOpen: (open: Open) => void }) {
  const { t } = useTranslation('gateway')
  const navigate = useNavigate()
  const mayFirmware = useMayOpen(paths.firmware)
  return (
    <>
      {mayFirmware && (
        <button type="button" className="btn" onClick={() => navigate(paths.firmware)}>
          <Icon name="download" />
          {t('firmwareTitle')}
        </button>
      )}
      <button type="button" className="btn" onClick={() => onOpen({ kind: 'import' })}>
        <Icon name="page" />
        {t('batch')}
      </button>
      <button type="button" className="btn primary" onClick={() => onOpen({ kind: 'add' })}>
        <Icon name="plus" />
        {t('add')}
      </button>
    </>
  )
}

function RowActions({
  gateway,
  onOpen,
  onDetails,
}: {
  gateway: GatewayRecord
  onOpen: (open: Open) => void
  onDetails: () => void
}) {
  const { t } = useTranslation('gateway')
  const mayEnable = useMay('gatewayEnable')
  return (
    <>
      <button type="button" className="btn small quiet" onClick={onDetails}>
        {t('openDetails')}
      </button>
      <ReasonedButton
        className="btn small quiet"
        reason={mayEnable ? null : t('noEnable')}
        onClick={() => onOpen({ kind: 'enable', gateway })}
      >
        {gateway.Enabled ? t('disable') : t('enable')}
      </ReasonedButton>
    </>
  )
}

function OpenDialog({
  open,
  setOpen,
  houseId,
  chosen,
}: {
  open: Open
  setOpen: Dispatch<SetStateAction<Open | null>>
  /** The project that the list shows; null: all. */
  houseId: number | null
  chosen: { readonly rows: readonly GatewayRecord[]; readonly clear: () => void }
}) {
  const close = () => setOpen(null)
  switch (open.kind) {
    case 'announced':
      return <AnnouncedDialog onClaim={(number) => setOpen({ kind: 'add', number })} onClose={close} />
    case 'add':
      return (
        <GatewayForm
          houseId={houseId}
          {...(open.number !== undefined && { number: open.number })}
          onAdded={(gateway, secret) => setOpen({ kind: 'secret', gateway, secret })}
          // The form closes itself when it is done; by then the secret is on show.
          onClose={() => setOpen((now) => (now?.kind === 'add' ? null : now))}
        />
      )
    case 'import':
      return <ImportDialog houseId={houseId} onClose={close} />
    case 'secret':
      return <SecretDialog gateway={open.gateway} secret={open.secret} onClose={close} />
    case 'enable':
      return <EnableGateway gateway={open.gateway} onClose={close} />
    case 'transfer':
      return <TransferGateways gateways={chosen.rows} onMoved={chosen.clear} onClose={close} />
  }
}
