/** The package comes without types; these are of the part that is used. */
declare module 'parse-prometheus-text-format' {
  interface MetricFamily {
    readonly name: string
    readonly type: string
    /** Those of histograms and summaries have no `value`. */
    readonly metrics: readonly { readonly value?: string; readonly labels?: Readonly<Record<string, string>> }[]
  }
  function parsePrometheusTextFormat(text: string): MetricFamily[]
  export = parsePrometheusTextFormat
}
