document.getElementById("page").textContent = "…";
