#include "report/html.h"

namespace flyball::report {
namespace {

constexpr std::string_view kStyle = R"css(
:root{--page:#fff;--ink:#1a1d20;--quiet:#565c62;--rule:#d3d7db;--soft:#f4f5f6;--grid:#e4e7e9;
--measured:#8a9097;--band:#c3c8cd;--alarm:#b3261e}
@media (prefers-color-scheme:dark){:root{--page:#15181a;--ink:#e7e9eb;--quiet:#a7adb3;--rule:#3a4046;
--soft:#1d2124;--grid:#2b3034;--measured:#7b828a;--band:#474d54;--alarm:#ff8f85}}
*{box-sizing:border-box}
html{scroll-behavior:smooth;-webkit-text-size-adjust:100%}
body{margin:0;background:var(--page);color:var(--ink);
font:15px/1.5 system-ui,-apple-system,"Segoe UI",Roboto,"DejaVu Sans",sans-serif}
main{max-width:1040px;margin:0 auto;padding:24px 20px 64px}
h1{font-size:22px;line-height:1.25;margin:0 0 14px;overflow-wrap:anywhere}
h2{font-size:18px;margin:44px 0 8px;padding-top:12px;border-top:1px solid var(--rule)}
h3{font-size:15px;margin:24px 0 4px}
p{margin:6px 0 10px;max-width:76ch}
a{color:inherit}
.quiet,figcaption,.origin{color:var(--quiet);font-size:13px}
.banner{border:1px solid var(--rule);border-left:8px solid var(--quiet);background:var(--soft);padding:14px 18px;
border-radius:4px;overflow-wrap:anywhere}
.banner.refused{border-left-color:var(--alarm)}
.banner .word{font-size:20px;font-weight:700;margin:0 0 4px;max-width:none}
.banner.refused .word{color:var(--alarm)}
.banner p{max-width:90ch}
.banner h2{font-size:15px;margin:14px 0 2px;padding:0;border:0}
.banner ol,.banner ul{margin:4px 0 0;padding-left:22px;max-width:90ch}
.banner li{margin:3px 0}
.glance{display:flex;flex-wrap:wrap;gap:4px 28px;margin:14px 0 0}
.glance div{min-width:90px}
.glance dt{color:var(--quiet);font-size:12px}
.glance dd{margin:0;font-variant-numeric:tabular-nums;font-weight:600}
nav ol{display:flex;flex-wrap:wrap;gap:2px 18px;list-style:none;margin:16px 0 0;padding:0;font-size:13px}
.wide{overflow-x:auto}
table{border-collapse:collapse;margin:12px 0 18px;font-size:14px;font-variant-numeric:tabular-nums}
caption{text-align:left;white-space:nowrap;font-weight:600;padding:0 0 4px}
th,td{padding:4px 14px 4px 0;text-align:left;vertical-align:top;border-bottom:1px solid var(--rule)}
thead th{color:var(--quiet);font-weight:600;font-size:12.5px;vertical-align:bottom;border-bottom-color:var(--measured)}
tbody th{font-weight:600}
.gates .origin{display:block;font-weight:400;font-size:12.5px}
.gates td:last-child{min-width:260px}
.n{text-align:right;white-space:nowrap}
thead .n{white-space:normal;min-width:56px}
.remark{display:inline-block;min-width:150px}
.facts td,.facts th,td.long{overflow-wrap:anywhere}
.facts th{min-width:150px;font-weight:400;color:var(--quiet)}
.mark{font-weight:700;white-space:nowrap}
.mark.bad{color:var(--alarm)}
code{font:12.5px/1.4 ui-monospace,"DejaVu Sans Mono",Menlo,Consolas,monospace;overflow-wrap:anywhere}
figure{margin:14px 0 20px}
figcaption{margin-top:2px;max-width:90ch}
.grid{display:grid;grid-template-columns:repeat(auto-fill,minmax(290px,1fr));gap:4px 22px}
.grid figure{margin:8px 0}
details{margin:8px 0 12px}
summary{cursor:pointer;font-weight:600}
svg.chart{display:block;width:100%;height:auto;min-width:640px}
svg.compact{min-width:0}
.chart text{font:12px system-ui,-apple-system,"Segoe UI",Roboto,"DejaVu Sans",sans-serif;fill:var(--quiet);
font-variant-numeric:tabular-nums}
.compact text{font-size:10px}
.chart .head{fill:var(--ink);font-weight:600}
.plot{fill:var(--soft)}
.chart path{fill:none;vector-effect:non-scaling-stroke;stroke-linejoin:round}
.chart .lattice{stroke:var(--grid);stroke-width:1}
.chart .zero{stroke:var(--measured);stroke-width:1}
.chart .measured{stroke:var(--measured);stroke-width:3}
.chart .model{stroke:var(--ink);stroke-width:1.3}
.chart .reference{stroke:var(--ink);stroke-width:1.3;stroke-dasharray:5 4}
.chart .input{stroke:var(--quiet);stroke-width:1.3}
.chart .band{fill:var(--band);stroke:none}
.chart .level{stroke:var(--quiet);stroke-width:1;stroke-dasharray:2 3}
.chart .instant{stroke:var(--quiet);stroke-width:1;stroke-dasharray:6 3}
.chart .dots{fill:var(--measured);stroke:var(--ink);stroke-width:.6}
.chart .dots.hollow{fill:var(--page);stroke:var(--ink);stroke-width:1.2}
.chart .stem{stroke:var(--quiet);stroke-width:2}
.chart .beyond{stroke:var(--alarm)}
.chart .beyond-mark{fill:var(--alarm);stroke:none}
.part{stroke:var(--quiet);stroke-width:1}
.part.train{fill:var(--band)}.part.val{fill:var(--soft)}.part.test{fill:var(--ink)}
.part.out{fill:none;stroke-dasharray:2 3}
.chart .on-train,.chart .on-val{fill:var(--ink)}.chart .on-test{fill:var(--page)}
.matrix td{vertical-align:middle;padding:6px 10px 6px 0;min-width:160px}
.matrix th[scope=row]{vertical-align:middle;min-width:76px;max-width:150px;overflow-wrap:break-word}
.matrix .chart{min-width:150px;max-width:210px}
.matrix dl{display:grid;grid-template-columns:auto 1fr;gap:0 6px;margin:2px 0 0;font-size:12px;line-height:1.35}
.matrix dt{color:var(--quiet)}
.matrix dd{margin:0;white-space:nowrap}
.heat td{padding:3px 6px 3px 0}.heat td div{padding:3px 8px;min-width:84px;text-align:right}
.heat .origin{display:block;font-size:12px}
.heat0{background:none}.heat1{background:color-mix(in srgb,var(--band) 25%,var(--page))}
.heat2{background:color-mix(in srgb,var(--band) 50%,var(--page))}
.heat3{background:color-mix(in srgb,var(--band) 75%,var(--page))}.heat4{background:var(--band)}
.none{color:var(--quiet);font-size:12.5px;max-width:150px}
@media (max-width:600px){caption{white-space:normal;min-width:240px}main{padding:14px 12px 40px}.grid{grid-template-columns:1fr}h1{font-size:19px}}
@media print{.matrix td{min-width:0}.matrix .chart{min-width:84px}.matrix dd{white-space:normal}
:root{--page:#fff;--ink:#000;--quiet:#444;--rule:#bbb;--soft:#fff;--grid:#ddd;--measured:#888;
--band:#ccc;--alarm:#900}
body{font-size:10.5pt}main{max-width:none;padding:0}nav{display:none}.wide{overflow:visible}
svg.chart{min-width:0}h2{margin-top:18pt}h2,h3,caption{break-after:avoid}figure,tr,.banner,.glance{break-inside:avoid}
details::details-content{content-visibility:visible;display:block}
*{-webkit-print-color-adjust:exact;print-color-adjust:exact}}
)css";

}  // namespace

std::string_view style_sheet() { return kStyle; }

}  // namespace flyball::report
