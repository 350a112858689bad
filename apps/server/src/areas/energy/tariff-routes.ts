import {
  chooseCarbon,
  getCarbon,
  getPriceDay,
  getTariffVersion,
  importPrices,
  importTariff,
  insertTariff,
  listPrices,
  listTariffs,
  previewTariff,
  publishTariff,
  saveCarbonFactor,
  saveTariffDraft,
  tariffDays,
} from '@linewarden/contract'
import type { Serve } from '../../http/context.ts'
import type { Carbons } from './carbon.ts'
import type { Prices } from './prices.ts'
import type { TariffImports } from './tariff-import.ts'
import type { TariffPreviews } from './tariff-preview.ts'
import type { Tariffs } from './tariffs.ts'

interface Services {
  readonly tariffs: Tariffs
  readonly previews: TariffPreviews
  readonly prices: Prices
  readonly carbons: Carbons
  readonly imports: TariffImports
}

export function tariffRoutes(serve: Serve, { tariffs, previews, prices, carbons, imports }: Services): void {
  serve(listTariffs, ({ actor, project }) => tariffs.list(actor, project))
  serve(getTariffVersion, ({ actor, project, query }) => tariffs.version(actor, project, query.VersionID))
  serve(insertTariff, ({ actor, project, body }) => tariffs.insert(actor, project, body))
  serve(saveTariffDraft, ({ actor, project, body }) => tariffs.saveDraft(actor, project, body))
  serve(publishTariff, ({ actor, project, body }) => tariffs.publish(actor, project, body))
  serve(tariffDays, ({ actor, project, query }) => tariffs.days(actor, project, query.Year))
  serve(importTariff, ({ actor, project, body }) => imports.import(actor, project, body))
  serve(listPrices, ({ actor, project, query }) => prices.list(actor, project, query.TariffID))
  serve(getPriceDay, ({ actor, project, query }) => prices.day(actor, project, query))
  serve(importPrices, ({ actor, project, body }) => prices.import(actor, project, body))
  serve(getCarbon, ({ actor, project }) => carbons.get(actor, project))
  serve(chooseCarbon, ({ actor, project, body }) => carbons.choose(actor, project, body))
  serve(saveCarbonFactor, ({ actor, project, body }) => carbons.saveFactor(actor, project, body))
  serve(previewTariff, ({ actor, project, body }) => previews.preview(actor, project, body.VersionID))
}
