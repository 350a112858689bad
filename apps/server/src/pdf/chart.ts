import { hatchPaint } from './svg.ts'

/** How a chart is painted: its colours by the names that the console has for them. */
export interface ChartLook {
  readonly token: (name: string) => string
  readonly hatch: string
}

const printed: Readonly<Record<string, string>> = {
  ...{ '--data-1': '#17424a', '--data-2': '#3f717a', '--data-3': '#7ba1a7', '--data-4': '#b5cbcd', '--normal': '#3f717a' },
  ...{ '--ink': '#1a1a1a', '--ink-2': '#444444', '--ink-3': '#666666', '--line': '#dddddd', '--line-2': '#bbbbbb' },
  ...{ '--line-control': '#888888', '--sheet': '#ffffff', '--gap': '#e4e4e4', '--ghost': '#1a1a1a', '--font': 'sans-serif' },
  ...{ '--warn-edge': '#666666', '--warn-text': '#444444' },
}

/** Ink on white paper. A state has no colour here: it may be printed grey. */
export const printedLook: ChartLook = {
  hatch: hatchPaint,
  token(name) {
    const colour = printed[name]
    if (colour === undefined) throw new Error(`a printed chart has no colour ${name}`)
    return colour
  },
}

/** A chart as SVG, by the library of the console and without a browser. It is read when the first one is made. */
export async function chartSvg(
  option: Readonly<Record<string, unknown>>,
  size: { readonly width: number; readonly height: number },
): Promise<string> {
  library ??= loadLibrary()
  const echarts = await library
  const chart = echarts.init(null, null, { renderer: 'svg', ssr: true, ...size })
  try {
    chart.setOption(option)
    return chart.renderToSVGString()
  } finally {
    chart.dispose()
  }
}

let library: ReturnType<typeof loadLibrary> | undefined

async function loadLibrary() {
  const [echarts, charts, components, features, renderers] = await Promise.all([
    import('echarts/core'),
    import('echarts/charts'),
    import('echarts/components'),
    import('echarts/features'),
    import('echarts/renderers'),
  ])
  const { BarChart, LineChart, SankeyChart, ScatterChart } = charts
  const { GridComponent, MarkAreaComponent, MarkLineComponent } = components
  echarts.use([BarChart, LineChart, SankeyChart, ScatterChart, GridComponent, MarkAreaComponent, MarkLineComponent])
  echarts.use([features.LabelLayout, renderers.SVGRenderer])
  return echarts
}
