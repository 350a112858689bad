import { exportAnalysis } from '@linewarden/contract'
import { useTranslation } from 'react-i18next'
import { api } from '../../app/net/api.ts'
import { ExportChoices } from '../../app/notify/export-menu.tsx'
import { Segments } from '../../ui/fields.tsx'
import { language } from '../../ui/i18n.ts'
import { Icon } from '../../ui/icon.tsx'
import { MomentChoice } from '../../ui/moment-field.tsx'
import { serverNow } from '../../ui/use-now.ts'
import type { AnalysisAddress, Asked } from './address.ts'
import { dayNumber, daysOf, dayText, edited, lasts } from './address.ts'

interface Props {
  readonly address: AnalysisAddress
  readonly asked: Asked
  readonly change: (values: Readonly<Record<string, string>>) => void
}

/** Range, comparison, print and export. */
export function AnalysisTools({ address, asked, change }: Props) {
  const { t } = useTranslation('analysis')
  const days = daysOf(address, serverNow())
  const edge = (name: 'from' | 'to') => (
    <MomentChoice
      kind="day"
      label={t(name === 'from' ? 'fromDay' : 'toDay')}
      at={dayNumber(days[name])}
      onChoose={(at) => at !== null && change({ ...edited(days, name, dayText(at)), last: '' })}
    />
  )
  return (
    <div className="analysis-tools">
      <Segments
        label={t('range')}
        value={address.range ? null : address.last}
        options={lasts.map((value) => ({ value, label: t(`last.${value}`) }))}
        onChange={(last) => change({ last, from: '', to: '' })}
      />
      <span className="days">
        {edge('from')}
        <span aria-hidden="true">–</span>
        {edge('to')}
      </span>
      <button
        type="button"
        className="btn"
        aria-pressed={address.compare}
        title={t('compare')}
        onClick={() => change({ compare: address.compare ? 'no' : '' })}
      >
        {address.compare && <Icon name="check" />}
        {t('before')}
      </button>
      <button type="button" className="btn" aria-label={t('print')} onClick={() => void printOnWhite()}>
        <Icon name="page" />
        <span className="word">{t('print')}</span>
      </button>
      <Exports asked={asked} />
    </div>
  )
}

/** Paper is white: a dark console is printed in light colours, once its picture is drawn in them. */
async function printOnWhite(): Promise<void> {
  const { dataset } = document.documentElement
  const { theme } = dataset
  const nextFrame = () => new Promise((done) => requestAnimationFrame(done))
  dataset.theme = 'light'
  await nextFrame()
  await nextFrame()
  window.print()
  if (theme !== undefined) dataset.theme = theme
}

function Exports({ asked }: { asked: Asked }) {
  const { t } = useTranslation('analysis')
  const { Compare: _, ...body } = asked
  return (
    <ExportChoices
      choices={(['days', 'places'] as const).flatMap((Content) =>
        (['csv', 'xlsx'] as const).map((Format) => ({
          label: t(Content === 'days' ? 'exportDays' : 'exportPlaces', { format: Format === 'csv' ? 'CSV' : 'xlsx' }),
          ticket: () => api.call(exportAnalysis, { body: { ...body, Content, Format, Language: language() } }),
        })),
      )}
    />
  )
}
