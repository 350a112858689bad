import type { GatewayRecord } from '@linewarden/contract'
import { listGateways } from '@linewarden/contract'
import { links } from '@linewarden/rules/alarm'
import { useState } from 'react'
import { useTranslation } from 'react-i18next'
import { useNavigate, useSearchParams } from 'react-router'
import { api } from '../../app/net/api.ts'
import { NoFilter } from '../../app/net/no-filter.tsx'
import { useRows } from '../../app/net/use-rows.ts'
import { ReasonedButton } from '../../app/notify/reasoned-button.tsx'
import { useMay, useMayEdit, useMayOpen } from '../../app/session/use-may.ts'
import { paths } from '../../paths.ts'
import { FilterSelect, SearchField } from '../../ui/fields.tsx'
import { Icon } from '../../ui/icon.tsx'
import { useListState } from '../../ui/list-state.ts'
import { Page } from '../../ui/page.tsx'
import { PickFilter } from '../../ui/pick-field.tsx'
import { QueryTable } from '../../ui/query-table.tsx'
import { SelectionBar } from '../../ui/selection-bar.tsx'
import { useChosen } from '../../ui/use-chosen.ts'
import { useDelayed } from '../../ui/use-delayed.ts'
import { AnnouncedDialog, AnnouncedStrip } from './announced.tsx'
import { gatewayColumns } from './gateway-columns.tsx'
import { EnableGateway, TransferGateways } from './gateway-dialogs.tsx'
import { GatewayDrawer } from './gateway-drawer.tsx'
import { GatewayForm } from './gateway-form.tsx'
import { ImportDialog } from './import/import-dialog.tsx'
import { useProjectNames } from './queries.ts'
import { SecretDialog } from './secret-dialog.tsx'

type Open =
  | { readonly kind: 'import' | 'transfer' | 'announced' }
  | { readonly kind: 'add'; readonly number?: string }
  | { readonly kind: 'secret'; readonly gateway: GatewayRecord; readonly secret: string }
  | { readonly kind: 'enable'; readonly gateway: GatewayRecord }

const filters = ['HouseID', 'GatewayName', 'Number', 'Link', 'Enabled'] as const
const sortable = ['GatewayName', 'Number', 'HouseName', 'Link', 'Enabled', 'DeviceCount', 'LineCount'] as const
const rowKey = ({ DeviceID }: GatewayRecord) => String(DeviceID)
const wholeNumber = (text: string): number | null => (/^[1-9]\d{0,8}$/.test(text) ? Number(text) : null)
/** Connections come and go by themselves. */
const everyMs = 10_000

/** Which gateways are there, where do they belong, and are they connected? */
export function GatewayPage() {
  const { t } = useTranslation(['gateway', 'app'])
  const list = useListState(filters, sortable)
  const [query, setQuery] = useSearchParams()
  const navigate = useNavigate()
  const [open, setOpen] = useState<Open | null>(null)
  const mayEdit = useMayEdit()
  const mayEnable = useMay('gatewayEnable')
  const mayFirmware = useMayOpen(paths.firmware)
  const projects = useProjectNames()
  const names = projects.data?.items ?? []
  const house = wholeNumber(list.filter('HouseID'))
  const name = useDelayed(list.filter('GatewayName'), 300)
  const number = useDelayed(list.filter('Number'), 300)
  const link = links.find((each) => each === list.filter('Link'))
  const enabled = { on: true, off: false }[list.filter('Enabled')]
  const body = {
    ...(house !== null && { HouseID: house }),
    ...(name && { GatewayName: name }),
    ...(number && { Number: number }),
    ...(link && { Link: link }),
    ...(enabled !== undefined && { Enabled: enabled }),
    ...list.order,
  }
  const requestOf = (Page: number, Size: number) => ({ body: { ...body, Page, Size } })
  const rows = useRows(listGateways, requestOf(list.page, list.size), { everyMs })
  const chosen = useChosen(rows.data?.items, rowKey)
  const opened = wholeNumber(query.get('gateway') ?? '')
  const openGateway = (id: number | null) =>
    setQuery((before) => {
      if (id === null) before.delete('gateway')
      else before.set('gateway', String(id))
      return before
    })
  const close = () => setOpen(null)
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
        filters={
          <>
            <PickFilter
              label={t('allProjects')}
              value={list.filter('HouseID')}
              options={names.map(({ HouseID, Name }) => ({ value: String(HouseID), label: Name }))}
              onChange={(value) => list.setFilter('HouseID', value)}
            />
            <NoFilter query={projects} />
            <SearchField
              label={t('name')}
              value={list.filter('GatewayName')}
              onChange={(value) => list.setFilter('GatewayName', value)}
            />
            <SearchField
              label={t('number')}
              value={list.filter('Number')}
              onChange={(value) => list.setFilter('Number', value)}
            />
            <FilterSelect
              label={t('allLinks')}
              value={link ?? ''}
              options={links.map((value) => ({ value, label: t(value) }))}
              onChange={(value) => list.setFilter('Link', value)}
            />
            <FilterSelect
              label={t('allEnabled')}
              value={list.filter('Enabled')}
              options={(['on', 'off'] as const).map((value) => ({ value, label: t(value) }))}
              onChange={(value) => list.setFilter('Enabled', value)}
            />
          </>
        }
        actions={
          mayEdit && (
            <>
              {mayFirmware && (
                <button type="button" className="btn" onClick={() => navigate(paths.firmware)}>
                  <Icon name="download" />
                  {t('firmwareTitle')}
                </button>
              )}
              <button type="button" className="btn" onClick={() => setOpen({ kind: 'import' })}>
                <Icon name="page" />
                {t('batchImport')}
              </button>
              <button type="button" className="btn primary" onClick={add}>
                <Icon name="plus" />
                {t('add')}
              </button>
            </>
          )
        }
        below={
          <SelectionBar keys={chosen.selection.keys} onClear={chosen.clear}>
            <button type="button" className="btn" onClick={() => setOpen({ kind: 'transfer' })}>
              {t('transfer')}
            </button>
          </SelectionBar>
        }
        rowActions={(gateway) => (
          <>
            <button type="button" className="btn small quiet" onClick={() => openGateway(gateway.DeviceID)}>
              {t('openDetails')}
            </button>
            <ReasonedButton
              className="btn small quiet"
              reason={mayEnable ? null : t('noEnable')}
              onClick={() => setOpen({ kind: 'enable', gateway })}
            >
              {gateway.Enabled ? t('disable') : t('enable')}
            </ReasonedButton>
          </>
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
      {open?.kind === 'announced' && <AnnouncedDialog onClaim={(number) => setOpen({ kind: 'add', number })} onClose={close} />}
      {opened !== null && <GatewayDrawer key={opened} deviceId={opened} onClose={() => openGateway(null)} />}
      {open?.kind === 'add' && (
        <GatewayForm
          houseId={house}
          {...(open.number !== undefined && { number: open.number })}
          onAdded={(gateway, secret) => setOpen({ kind: 'secret', gateway, secret })}
          // The form closes itself when it is done; by then the secret is on show.
          onClose={() => setOpen((now) => (now?.kind === 'add' ? null : now))}
        />
      )}
      {open?.kind === 'import' && <ImportDialog houseId={house} onClose={close} />}
      {open?.kind === 'secret' && <SecretDialog gateway={open.gateway} secret={open.secret} onClose={close} />}
      {open?.kind === 'enable' && <EnableGateway gateway={open.gateway} onClose={close} />}
      {open?.kind === 'transfer' && <TransferGateways gateways={chosen.rows} onMoved={chosen.clear} onClose={close} />}
    </Page>
  )
}
