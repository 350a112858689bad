import type { TariffContent } from '@linewarden/contract'
import { dayTypeTexts, knownBands, maxSeasons } from '@linewarden/contract'
import type { DayType } from '@linewarden/rules/energy'
import { bandsOfStrip, dayTypes, maxBands, painted, quarterOfClock, withoutBand } from '@linewarden/rules/energy'
import { useState } from 'react'
import { useTranslation } from 'react-i18next'
import { TextField } from '../../ui/fields.tsx'
import { localised } from '../../ui/i18n.ts'
import { Icon } from '../../ui/icon.tsx'
import { BandStrip } from './band-strip.tsx'
import type { Season } from './tariff-values.ts'
import { nameOf, newSeason, stepOf } from './tariff-values.ts'

type Edit = (part: Partial<TariffContent>) => void

/** Which band is when: for each season and type of day a strip of 96 quarters. */
export function TariffStrips({ content, onEdit }: { content: TariffContent; onEdit: Edit | null }) {
  const { t } = useTranslation('tariffs')
  const { Bands, Seasons } = content
  const [chosen, setChosen] = useState(0)
  const brush = onEdit ? Math.min(chosen, Bands.length - 1) : null
  const editSeason = (index: number, season: Season) =>
    onEdit?.({ Seasons: Seasons.map((each, at) => (at === index ? season : each)) })
  return (
    <section className="tariff-part" aria-label={t('bandsTitle')}>
      <h3>{t('bandsTitle')}</h3>
      {onEdit && <p className="mute">{t('bandsHint')}</p>}
      <BandKeys content={content} brush={brush} onBrush={setChosen} onEdit={onEdit} />
      {onEdit && brush !== null && brush >= 0 && <PaintBetween content={content} brush={brush} onEdit={onEdit} />}
      {Seasons.map((season, index) => (
        <SeasonStrips
          // biome-ignore lint/suspicious/noArrayIndexKey: a season has nothing of its own but its place
          key={index}
          {...{ season, index, bands: Bands, brush: brush !== null && brush < 0 ? null : brush }}
          onEdit={onEdit && ((next) => editSeason(index, next))}
          onRemove={onEdit && Seasons.length > 1 ? () => onEdit({ Seasons: Seasons.filter((_, at) => at !== index) }) : null}
        />
      ))}
      {onEdit && Seasons.length < maxSeasons && (
        <button type="button" className="btn small" onClick={() => onEdit({ Seasons: [...Seasons, newSeason(Seasons.at(-1))] })}>
          {t('addSeason')}
        </button>
      )}
    </section>
  )
}

/** The bands: what the strips mean, and which of them is painted. */
function BandKeys(props: { content: TariffContent; brush: number | null; onBrush: (band: number) => void; onEdit: Edit | null }) {
  const { content, brush, onBrush, onEdit } = props
  const { t } = useTranslation('tariffs')
  const { Bands } = content
  const [name, setName] = useState('')
  if (!onEdit)
    return (
      <ul className="tariff-keys" aria-label={t('bands')}>
        {Bands.map((band, index) => (
          <li key={band}>
            <i className={`tariff-swatch tariff-step-${stepOf(Bands, index)}`} aria-hidden="true" />
            {nameOf(band)}
          </li>
        ))}
      </ul>
    )
  const add = (band: string) => {
    const key = band.trim()
    if (key === '' || Bands.includes(key)) return
    onEdit({
      Bands: [...Bands, key],
      Components: content.Components.map((each) =>
        each.Basis === 'kwhByBand' ? { ...each, Prices: [...each.Prices, ''] } : each,
      ),
    })
    setName('')
  }
  const remove = (index: number) =>
    onEdit({
      Bands: Bands.filter((_, at) => at !== index),
      Seasons: content.Seasons.map((season) => ({ ...season, Days: mapDays(season.Days, (strip) => withoutBand(strip, index)) })),
      Components: content.Components.map((each) =>
        each.Basis === 'kwhByBand' ? { ...each, Prices: each.Prices.filter((_, at) => at !== index) } : each,
      ),
    })
  return (
    <div className="tariff-keys" role="group" aria-label={t('bands')}>
      {Bands.map((band, index) => (
        <span key={band} className="tariff-key">
          <button type="button" className="chip" aria-pressed={brush === index} onClick={() => onBrush(index)}>
            <i className={`tariff-swatch tariff-step-${stepOf(Bands, index)}`} aria-hidden="true" />
            {nameOf(band)}
          </button>
          {Bands.length > 1 && (
            <button
              type="button"
              className="btn quiet"
              aria-label={t('removeBand', { name: nameOf(band) })}
              onClick={() => remove(index)}
            >
              <Icon name="close" />
            </button>
          )}
        </span>
      ))}
      {Bands.length < maxBands && (
        <span className="tariff-key">
          {knownBands
            .filter((each) => !Bands.includes(each))
            .map((each) => (
              <button type="button" className="btn small" key={each} onClick={() => add(each)}>
                {t('addNamed', { name: nameOf(each) })}
              </button>
            ))}
          <input
            className="tariff-band-name"
            aria-label={t('otherBand')}
            placeholder={t('otherBand')}
            maxLength={16}
            value={name}
            onChange={({ target }) => setName(target.value)}
          />
          <button type="button" className="btn small" disabled={name.trim() === ''} onClick={() => add(name)}>
            {t('add')}
          </button>
        </span>
      )}
    </div>
  )
}

const mapDays = (days: Season['Days'], to: (strip: string) => string): Season['Days'] =>
  Object.fromEntries(dayTypes.map((each) => [each, to(days[each])])) as Record<DayType, string>

/** The same by typing, as a notice has it: from 08:30 to 11:30, on these days of that season. */
function PaintBetween({ content, brush, onEdit }: { content: TariffContent; brush: number; onEdit: Edit }) {
  const { t } = useTranslation('tariffs')
  const { Bands, Seasons } = content
  const [season, setSeason] = useState(0)
  const [days, setDays] = useState<DayType | ''>('')
  const [from, setFrom] = useState('')
  const [to, setTo] = useState('')
  const [asked, setAsked] = useState(false)
  const [first, end] = [quarterOfClock(from), quarterOfClock(to)]
  const isWrong = first === null || end === null || first === end
  const at = Math.min(season, Seasons.length - 1)
  const apply = () => {
    setAsked(true)
    if (isWrong) return
    setAsked(false)
    const paint = (strip: string) =>
      // Over midnight: to the end of the day, and from its beginning.
      first < end ? painted(strip, first, end, brush) : painted(painted(strip, first, 96, brush), 0, end, brush)
    onEdit({
      Seasons: Seasons.map((each, index) => {
        if (index !== at) return each
        return { ...each, Days: days === '' ? mapDays(each.Days, paint) : { ...each.Days, [days]: paint(each.Days[days]) } }
      }),
    })
  }
  return (
    <fieldset className="tariff-between">
      <legend>{t('byTyping')}</legend>
      <select aria-label={t('season')} value={at} onChange={({ target }) => setSeason(Number(target.value))}>
        {Seasons.map((each, index) => (
          // biome-ignore lint/suspicious/noArrayIndexKey: as above
          <option key={index} value={index}>
            {each.Name.trim() || t('seasonNo', { no: index + 1 })}
          </option>
        ))}
      </select>
      <select
        aria-label={t('dayType')}
        value={days}
        onChange={({ target }) => setDays(dayTypes.find((each) => each === target.value) ?? '')}
      >
        <option value="">{t('allDays')}</option>
        {dayTypes.map((each) => (
          <option key={each} value={each}>
            {localised(dayTypeTexts[each])}
          </option>
        ))}
      </select>
      <TextField label={t('fromClock')} maxLength={5} placeholder="08:30" value={from} onChange={setFrom} />
      <TextField
        label={t('toClock')}
        maxLength={5}
        placeholder="24:00"
        value={to}
        onChange={setTo}
        error={asked && isWrong ? t('clockWrong') : null}
      />
      <button type="button" className="btn" onClick={apply}>
        {t('paint', { band: nameOf(Bands[brush] ?? '') })}
      </button>
    </fieldset>
  )
}

function SeasonStrips(props: {
  season: Season
  index: number
  bands: readonly string[]
  brush: number | null
  onEdit: ((season: Season) => void) | null
  onRemove: (() => void) | null
}) {
  const { season, index, bands, brush, onEdit, onRemove } = props
  const { t } = useTranslation('tariffs')
  const name = season.Name.trim() || t('seasonNo', { no: index + 1 })
  return (
    <div className="tariff-season" role="group" aria-label={name}>
      <div className="tariff-season-head">
        {onEdit ? (
          <>
            <TextField
              label={t('seasonName')}
              maxLength={20}
              value={season.Name}
              onChange={(Name) => onEdit({ ...season, Name })}
            />
            <TextField
              label={t('seasonFrom')}
              maxLength={5}
              placeholder="07-01"
              value={season.From}
              onChange={(From) => onEdit({ ...season, From })}
            />
            <TextField
              label={t('seasonTo')}
              maxLength={5}
              placeholder="08-31"
              value={season.To}
              onChange={(To) => onEdit({ ...season, To })}
            />
            <button
              type="button"
              className="btn small"
              onClick={() => onEdit({ ...season, Days: mapDays(season.Days, () => season.Days.workday) })}
            >
              {t('allAsWorkday')}
            </button>
            {onRemove && (
              <button type="button" className="btn small quiet" onClick={onRemove}>
                {t('removeSeason')}
              </button>
            )}
          </>
        ) : (
          <b>
            {name} <small className="mute">{`${season.From} – ${season.To}`}</small>
          </b>
        )}
      </div>
      <div className="tariff-rows">
        {dayTypes.map((dayType) => (
          <div className="tariff-row" key={dayType}>
            <span>{localised(dayTypeTexts[dayType])}</span>
            <div>
              <BandStrip
                label={`${name} ${localised(dayTypeTexts[dayType])}`}
                bands={bands}
                strip={season.Days[dayType]}
                brush={brush}
                onPaint={(strip) => onEdit?.({ ...season, Days: { ...season.Days, [dayType]: strip } })}
              />
              <Hours />
            </div>
            <small className="mute">{hoursText(season.Days[dayType], bands)}</small>
          </div>
        ))}
      </div>
    </div>
  )
}

const shownHours = [0, 4, 8, 12, 16, 20, 24]

const Hours = () => (
  <span className="tariff-hours" aria-hidden="true">
    {shownHours.map((hour) => (
      <span key={hour}>{String(hour).padStart(2, '0')}</span>
    ))}
  </span>
)

/** `峰 6.5 · 平 9 · 谷 8.5`: a row adds up to 24 in sight. */
function hoursText(strip: string, bands: readonly string[]): string {
  const quarters = bandsOfStrip(strip)
  return bands
    .map((band, index) => ({ band, hours: quarters.filter((each) => each === index).length / 4 }))
    .filter(({ hours }) => hours > 0)
    .map(({ band, hours }) => `${nameOf(band)} ${hours}`)
    .join(' · ')
}
