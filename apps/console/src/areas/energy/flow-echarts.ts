import { SankeyChart } from 'echarts/charts'
import * as echarts from 'echarts/core'
import { LabelLayout } from 'echarts/features'
import { CanvasRenderer } from 'echarts/renderers'

echarts.use([SankeyChart, LabelLayout, CanvasRenderer])

export const makeFlowChart = (element: HTMLElement): echarts.EChartsType => echarts.init(element)
export type FlowChart = echarts.EChartsType
