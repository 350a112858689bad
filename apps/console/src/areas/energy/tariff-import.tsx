import type { importTariff as importCall, Project, Reply, Tariff } from '@linewarden/contract'
import { importTariff, maxSheetCell, maxSheetCells, maxSheetRows, tariffTemplate } from '@linewarden/contract'
import { useState } from 'react'
import { useTranslation } from 'react-i18next'
import { api, messageOf } from '../../app/net/api.ts'
import { change } from '../../app/net/change.ts'
import { toast } from '../../app/notify/toasts.tsx'
import { Dialog } from '../../ui/dialog.tsx'
import { FileChoice } from '../../ui/file-choice.tsx'
import { localised } from '../../ui/i18n.ts'
import { Icon } from '../../ui/icon.tsx'
import { Mark } from '../../ui/mark.tsx'
import { readSheets, saveWorkbook } from '../site/import/workbook.ts'
import './price-series.css'

type Checked = Reply<typeof importCall>
type Sheets = Parameters<typeof bodyOf>[2]

const bodyOf = (
  house: Project,
  tariff: Tariff,
  Sheets: { Name: string; Rows: { Row: number; Cells: string[] }[] }[],
  more: { readonly DryRun: boolean; readonly Publish: boolean },
) => ({ HouseID: house.HouseID, TariffID: tariff.TariffID, Sheets, ...more })

/** The sheets of a workbook as the server takes them; null: it cannot be read. */
async function sheetsOf(file: File): Promise<Sheets | null> {
  const found = await readSheets(file, maxSheetRows)
  if (typeof found === 'string') return null
  return found.map(({ name, rows }) => ({
    Name: name.slice(0, 64),
    Rows: rows.map(({ at, cells }) => ({
      Row: at,
      Cells: cells.slice(0, maxSheetCells).map((cell) => cell.slice(0, maxSheetCell)),
    })),
  }))
}

/** Versions of a tariff from a workbook: first what each sheet says and what is wrong with it, by its cell. */
export function TariffImport({ house, tariff, onClose }: { house: Project; tariff: Tariff; onClose: () => void }) {
  const { t, i18n } = useTranslation(['tariffs', 'app'])
  const [busy, setBusy] = useState(false)
  const [problem, setProblem] = useState<string | null>(null)
  const [sheets, setSheets] = useState<Sheets | null>(null)
  const [checked, setChecked] = useState<Checked | null>(null)
  const run = async (act: () => Promise<string | null>) => {
    setBusy(true)
    setProblem(null)
    setProblem(await act().catch(messageOf))
    setBusy(false)
  }
  const readFile = (given: File) =>
    run(async () => {
      setChecked(null)
      setSheets(null)
      const read = await sheetsOf(given)
      if (read === null) return t('sheetUnread', { most: maxSheetRows })
      setSheets(read)
      setChecked(await api.call(importTariff, { body: bodyOf(house, tariff, read, { DryRun: true, Publish: true }) }))
      return null
    })
  const store = (Publish: boolean) =>
    run(async () => {
      if (!sheets) return null
      const { Stored } = await change(importTariff, { body: bodyOf(house, tariff, sheets, { DryRun: false, Publish }) })
      toast('info', t(Publish ? 'importPublished' : 'importDrafted', { count: Stored }))
      onClose()
      return null
    })
  const saveTemplate = () =>
    run(async () => {
      const lines = tariffTemplate(i18n.language.startsWith('zh'))
      return (await saveWorkbook(`${t('importTemplate')}.xlsx`, t('importSheet'), lines))
        ? null
        : t('sheetUnread', { most: maxSheetRows })
    })
  const isRight = checked?.Sheets.every(({ Problems }) => Problems.length === 0) === true
  return (
    <Dialog label={t('importOf', { name: tariff.Name })} wide onClose={onClose}>
      <h2>{t('importOf', { name: tariff.Name })}</h2>
      <div className="content price-import">
        <p>{t('importWhat')}</p>
        <div className="price-choices">
          <button type="button" className="btn" disabled={busy} onClick={() => void saveTemplate()}>
            <Icon name="download" />
            {t('importGetTemplate')}
          </button>
          <FileChoice
            accept=".xls,.xlsx"
            label={checked ? t('importOther') : undefined}
            disabled={busy}
            first
            onFile={(given) => void readFile(given)}
          />
        </div>
        {busy && <p role="status">{t('importReading')}</p>}
        {problem !== null && (
          <p className="problem" role="alert">
            <Mark kind="alarm" />
            {problem}
          </p>
        )}
        {checked && <CheckedSheets checked={checked} />}
      </div>
      <div className="foot">
        <button type="button" className="btn" onClick={onClose}>
          {t('app:cancel')}
        </button>
        {isRight && checked?.Sheets.length === 1 && (
          <button type="button" className="btn" disabled={busy} onClick={() => void store(false)}>
            {t('importDraft')}
          </button>
        )}
        {isRight && (
          <button type="button" className="btn primary" disabled={busy} onClick={() => void store(true)}>
            {t('importPublish', { count: checked?.Sheets.length ?? 0 })}
          </button>
        )}
      </div>
    </Dialog>
  )
}

function CheckedSheets({ checked }: { checked: Checked }) {
  const { t } = useTranslation('tariffs')
  return (
    <ul className="tariff-sheets">
      {checked.Sheets.map(({ Name, From, To, Source, Bands, Seasons, Components, Problems }) => (
        <li key={Name}>
          <h3>{Name}</h3>
          {Problems.length === 0 ? (
            <p>
              {t('importFine', {
                from: From,
                to: To ?? t('openEnd'),
                source: Source,
                bands: Bands,
                seasons: Seasons,
                prices: Components,
              })}
            </p>
          ) : (
            <>
              <p className="caution" role="alert">
                <Mark kind="warning" />
                {t('importWrong', { count: Problems.length })}
              </p>
              <ul className="price-problems">
                {Problems.map(({ Cell, Text }) => (
                  <li key={`${Cell} ${localised(Text)}`}>
                    {Cell === null ? localised(Text) : t('importCell', { cell: Cell, text: localised(Text) })}
                  </li>
                ))}
              </ul>
            </>
          )}
        </li>
      ))}
    </ul>
  )
}
