import type { Project, Tariff, TariffHead } from '@linewarden/contract'
import { getTariffVersion, insertTariff, listTariffs } from '@linewarden/contract'
import { civilZone, dateText } from '@linewarden/rules/automation'
import { useState } from 'react'
import { useTranslation } from 'react-i18next'
import { useSearchParams } from 'react-router'
import { change } from '../../app/net/change.ts'
import { refuseForm } from '../../app/net/refuse-form.ts'
import { Unloaded } from '../../app/net/unloaded.tsx'
import { useCall } from '../../app/net/use-call.ts'
import { ReasonedButton } from '../../app/notify/reasoned-button.tsx'
import { Empty } from '../../ui/body-state.tsx'
import { TextField } from '../../ui/fields.tsx'
import { FormDialog } from '../../ui/form-dialog.tsx'
import { addTexts } from '../../ui/i18n.ts'
import { useForm } from '../../ui/use-form.ts'
import { serverNow } from '../../ui/use-now.ts'
import { PriceSeries } from './price-series.tsx'
import { TariffDemand } from './tariff-demand.tsx'
import { TariffEditor } from './tariff-editor.tsx'
import { TariffEffect } from './tariff-effect.tsx'
import { TariffImport } from './tariff-import.tsx'
import { TariffPrices } from './tariff-prices.tsx'
import { TariffStrips } from './tariff-strips.tsx'
import { tariffs } from './tariff-texts.ts'
import { isBySeries, newContent } from './tariff-values.ts'
import './tariff.css'

addTexts({ tariffs })

/** Which version is open: one of a tariff, or a new draft of it by another. */
interface Open {
  readonly tariffId: number
  /** Null: a new draft. */
  readonly versionId: number | null
  /** From which version a new draft is made; null: from none. */
  readonly like: number | null
}

/** The address holds it, so that leaving what is not saved is asked for. */
function useOpen(): readonly [Open | null, (open: Open | null) => void] {
  const [query, setQuery] = useSearchParams()
  const [tariff, version, like] = ['tariff', 'version', 'like'].map((name) => Number(query.get(name)) || null)
  const set = (open: Open | null) =>
    setQuery((before) => {
      const parts = { tariff: open?.tariffId, version: open?.versionId, like: open?.like }
      for (const [name, value] of Object.entries(parts)) {
        if (value == null) before.delete(name)
        else before.set(name, String(value))
      }
      return before
    })
  return [tariff == null ? null : { tariffId: tariff, versionId: version ?? null, like: like ?? null }, set]
}

/** The tariffs of a project: at the side their versions, beside it the one that is open. */
export function TariffPart({ house, reason }: { house: Project; reason: string | null }) {
  const { t } = useTranslation('tariffs')
  const query = useCall(listTariffs, { query: { HouseID: house.HouseID } })
  const [open, setOpen] = useOpen()
  const [adding, setAdding] = useState(false)
  const [importing, setImporting] = useState<Tariff | null>(null)
  const items = query.data?.items ?? []
  const tariff = items.find(({ TariffID }) => TariffID === open?.tariffId)
  return (
    <section className="energy-part" aria-label={t('title')}>
      <header>
        <h2>{t('title')}</h2>
        <ReasonedButton className="btn" reason={reason} onClick={() => setAdding(true)}>
          {t('addTariff')}
        </ReasonedButton>
      </header>
      {!query.data && <Unloaded query={query} />}
      {query.data && items.length === 0 && <Empty title={t('none')} hint={t('noneHint')} />}
      <div className="tariff-columns">
        {items.length > 0 && (
          <div className="tariff-list">
            {items.map((each) => (
              <Versions
                key={each.TariffID}
                tariff={each}
                open={open}
                reason={reason}
                onOpen={setOpen}
                onImport={() => setImporting(each)}
              />
            ))}
          </div>
        )}
        {open && tariff && (
          <OpenVersion
            key={`${open.tariffId} ${open.versionId} ${open.like}`}
            {...{ house, tariff, open, reason }}
            onSaved={(versionId) => setOpen(versionId === null ? null : { ...open, versionId, like: null })}
          />
        )}
      </div>
      {importing && <TariffImport house={house} tariff={importing} onClose={() => setImporting(null)} />}
      {adding && <AddTariff house={house} onClose={() => setAdding(false)} />}
    </section>
  )
}

function Versions(props: {
  tariff: Tariff
  open: Open | null
  reason: string | null
  onOpen: (open: Open) => void
  onImport: () => void
}) {
  const { tariff, open, reason, onOpen, onImport } = props
  const { t } = useTranslation('tariffs')
  const { TariffID, Versions: versions } = tariff
  const hasDraft = versions.some(({ PublishedAt }) => PublishedAt === null)
  const like = versions.find(({ PublishedAt }) => PublishedAt !== null)
  return (
    <section aria-label={tariff.Name}>
      <h3>{tariff.Name}</h3>
      <ul>
        {versions.map((head) => (
          <li key={head.VersionID}>
            <button
              type="button"
              aria-pressed={open?.versionId === head.VersionID}
              onClick={() => onOpen({ tariffId: TariffID, versionId: head.VersionID, like: null })}
            >
              <b>{t('versionNo', { no: head.Number })}</b>
              <span className="mute">{stateOf(head, t)}</span>
              <small className="mute">{datesText(head, t)}</small>
            </button>
          </li>
        ))}
      </ul>
      {!hasDraft && (
        <ReasonedButton
          className="btn small"
          reason={reason}
          onClick={() => onOpen({ tariffId: TariffID, versionId: null, like: like?.VersionID ?? null })}
        >
          {like ? t('newFrom', { no: like.Number }) : t('newVersion')}
        </ReasonedButton>
      )}
      <ReasonedButton className="btn small quiet" reason={hasDraft ? (reason ?? t('importHasDraft')) : reason} onClick={onImport}>
        {t('importVersions')}
      </ReasonedButton>
    </section>
  )
}

type T = ReturnType<typeof useTranslation<'tariffs'>>['t']

const stateOf = (head: TariffHead, t: T): string =>
  head.PublishedAt === null ? t('draft') : t(head.Superseded ? 'superseded' : 'published')

function datesText({ From, To, PublishedAt, Superseded, PricesUntil }: TariffHead, t: T): string {
  const until = PublishedAt === null || Superseded ? To : PricesUntil
  return until === null ? t('since', { from: From }) : t('between', { from: From, to: until })
}

function OpenVersion(props: {
  house: Project
  tariff: Tariff
  open: Open
  reason: string | null
  onSaved: (versionId: number | null) => void
}) {
  const { house, tariff, open, reason, onSaved } = props
  const asked = open.versionId ?? open.like
  const common = { house, tariffId: tariff.TariffID, currency: tariff.Currency, versions: tariff.Versions, reason, onSaved }
  if (asked !== null) return <LoadedVersion {...{ ...common, asked }} isNew={open.versionId === null} />
  const today = dateText(civilZone(house.TimeZone).dayAt(serverNow()))
  return <TariffEditor {...common} draft={null} start={newContent(tariff.Currency, today)} />
}

function LoadedVersion(props: Omit<Parameters<typeof TariffEditor>[0], 'draft' | 'start'> & { asked: number; isNew: boolean }) {
  const { asked, isNew, ...common } = props
  const { house, currency } = common
  const query = useCall(getTariffVersion, { query: { HouseID: house.HouseID, VersionID: asked } })
  const { data } = query
  const { t } = useTranslation('tariffs')
  if (!data) return <Unloaded query={query} />
  const { Head, Content } = data
  if (isNew) return <TariffEditor {...common} draft={null} start={{ ...Content, To: null, Source: '' }} />
  if (Head.PublishedAt === null) return <TariffEditor {...common} draft={data} start={Content} />
  return (
    <div className="tariff-editor">
      <dl className="tariff-facts">
        <div>
          <dt>{t('validFrom')}</dt>
          <dd>{Head.From}</dd>
        </div>
        <div>
          <dt>{t('validTo')}</dt>
          <dd>{Head.To ?? t('openEnd')}</dd>
        </div>
        <div>
          <dt>{t('source')}</dt>
          <dd>{Head.Source}</dd>
        </div>
        <div>
          <dt>{t('publisher')}</dt>
          <dd>{Head.Publisher}</dd>
        </div>
        <div className="wide">
          <dt>SHA-256</dt>
          <dd className="tariff-hash">{Head.Sha256}</dd>
        </div>
      </dl>
      <TariffStrips content={Content} onEdit={null} />
      <TariffPrices content={Content} currency={currency} onEdit={null} />
      {isBySeries(Content) && <PriceSeries house={house} tariffId={common.tariffId} currency={currency} reason={common.reason} />}
      <TariffDemand content={Content} onEdit={null} />
      <TariffEffect houseId={house.HouseID} versionId={Head.VersionID} />
    </div>
  )
}

function AddTariff({ house, onClose }: { house: Project; onClose: () => void }) {
  const { t } = useTranslation(['tariffs', 'app'])
  const form = useForm<{ readonly Name: string }>({ Name: '' }, ({ Name }) => ({
    Name: Name.trim() === '' ? t('nameMissing') : null,
  }))
  const save = async () => {
    if (!form.check()) return ''
    try {
      await change(insertTariff, { body: { HouseID: house.HouseID, Name: form.values.Name.trim() } })
      return null
    } catch (error) {
      return refuseForm(form, error)
    }
  }
  return (
    <FormDialog title={t('addTariff')} submit={t('app:save')} onSubmit={save} onClose={onClose}>
      <TextField label={t('name')} hint={t('nameHint')} maxLength={60} required autoFocus {...form.field('Name')} />
    </FormDialog>
  )
}
